import { expect, test } from "vitest";
import { acceptsGzip } from "./response-head.ts";

test.each([
  { header: undefined, accepted: false },
  { header: "", accepted: false },
  { header: "identity", accepted: false },
  { header: "gzip", accepted: true },
  { header: "br, GZIP;q=0.5", accepted: true },
  { header: "gzip;q=0", accepted: false },
  { header: "gzip; q=0, *", accepted: false },
  { header: "*", accepted: true },
  { header: "*;q=0", accepted: false },
  { header: "deflate, br", accepted: false },
  { header: "gzip;q=much", accepted: false },
])("accept-encoding $header means gzip: $accepted", ({ accepted, header }) => {
  expect(acceptsGzip(header)).toBe(accepted);
});

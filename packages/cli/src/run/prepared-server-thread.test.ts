import { describe, expect, test } from "vitest";
import { mayUseEmbeddedServer } from "./prepared-server-thread.ts";

describe("the thread of the embedded server is started before the command is loaded", () => {
  test.each([
    { args: ["run"], env: {}, isStarted: true },
    { args: ["run", "--repo", ".", "--quiet"], env: { ASSAY_TOKEN: "x" }, isStarted: true },
    { args: ["run", "--url", "http://127.0.0.1:1"], env: {}, isStarted: false },
    { args: ["run", "--url=http://127.0.0.1:1"], env: {}, isStarted: false },
    { args: ["run", "--target", "staging"], env: {}, isStarted: false },
    { args: ["run", "--help"], env: {}, isStarted: false },
    { args: ["run"], env: { SRC_ENDPOINT: "http://127.0.0.1:1" }, isStarted: false },
    { args: ["run"], env: { ASSAY_URL: "http://127.0.0.1:1" }, isStarted: false },
  ])("$args $env: $isStarted", ({ args, env, isStarted }) => {
    expect(mayUseEmbeddedServer(args, env)).toBe(isStarted);
  });
});

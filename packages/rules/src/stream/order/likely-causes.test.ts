import { anyCharacter } from "@assay/tools/any-character";
import { repetitions } from "@assay/tools/proving";
import type { HeaderField } from "@assay/evidence";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { describeLikelyCauses } from "./likely-causes.ts";

const told: HeaderField = ["X-Accel-Buffering", "no"];
const untold = "no `X-Accel-Buffering: no` (nginx buffers without it)";

test.each<{ name: string; header: HeaderField; cause: string }>([
  {
    name: "a length",
    header: ["content-length", "5120"],
    cause: "`Content-Length: 5120` (the response was complete before its head was sent)",
  },
  {
    name: "compression",
    header: ["Content-Encoding", "gzip"],
    cause: "`Content-Encoding: gzip` (compression without flushing delays events)",
  },
  {
    name: "compression after none",
    header: ["content-encoding", "identity, br"],
    cause: "`Content-Encoding: identity, br` (compression without flushing delays events)",
  },
  { name: "a proxy", header: ["VIA", "1.1 edge"], cause: "`Via: 1.1 edge` (a proxy forwarded the response)" },
  { name: "a cache", header: ["X-Cache", "MISS"], cause: "`X-Cache: MISS` (a cache forwarded the response)" },
  {
    name: "a delivery network",
    header: ["CF-RAY", "8a-TXL"],
    cause: "`CF-Ray: 8a-TXL` (a content delivery network forwarded the response)",
  },
  { name: "an age", header: ["Age", "0"], cause: "`Age: 0` (a cache forwarded the response)" },
])("$name is a cause", ({ header, cause }) => {
  expect(describeLikelyCauses([told, header])).toEqual([cause]);
  expect(describeLikelyCauses([header])).toEqual([cause, untold]);
});

test.each([
  "nginx/1.25.3",
  "openresty",
  "istio-envoy",
  "Apache/2.4",
  "httpd",
  "HAProxy",
  "Traefik",
  "Caddy",
  "Varnish",
  "squid/5",
  "cloudflare",
  "CloudFront",
  "AkamaiGHost",
  "awselb/2.0",
  "Microsoft-IIS/10.0",
])("the server %s is a cause", (server) => {
  const cause = `\`Server: ${server}\` (a proxy of this kind may buffer responses)`;
  expect(describeLikelyCauses([told, ["server", server]])).toEqual([cause]);
});

test.each<{ name: string; headers: readonly HeaderField[]; causes: readonly string[] }>([
  { name: "a head that tells nginx not to buffer", headers: [told], causes: [] },
  { name: "the same in capitals and with spaces", headers: [["x-accel-buffering", " NO "]], causes: [] },
  { name: "an empty head", headers: [], causes: [untold] },
  { name: "another value of that field", headers: [["x-accel-buffering", "yes"]], causes: [untold] },
  { name: "that value in another field", headers: [["X-Buffering", "no"]], causes: [untold] },
  { name: "a value that only begins like it", headers: [["x-accel-buffering", "nor"]], causes: [untold] },
  { name: "a value that only ends like it", headers: [["x-accel-buffering", "uno"]], causes: [untold] },
  { name: "another server", headers: [told, ["Server", "code/1.0"]], causes: [] },
  { name: "an encoding that is none", headers: [told, ["Content-Encoding", " Identity "]], causes: [] },
  { name: "an empty encoding", headers: [told, ["Content-Encoding", ""]], causes: [] },
  { name: "a field whose name only begins like it", headers: [told, ["Content-Length-Hint", "3"]], causes: [] },
])("$name names $causes.length causes", ({ headers, causes }) => {
  expect(describeLikelyCauses(headers)).toEqual(causes);
});

test("causes come in a fixed order, each once, whatever the order of the head", () => {
  const all: readonly HeaderField[] = [
    ["server", "code"],
    ["server", "nginx"],
    ["age", "1"],
    ["cf-ray", "1"],
    ["x-cache", "1"],
    ["via", "1"],
    ["via", "2"],
    ["content-encoding", "identity"],
    ["content-encoding", "gzip"],
    ["content-length", "1"],
  ];
  const names = describeLikelyCauses(all).map((cause) => /`([\w-]+: \w+)`/u.exec(cause)?.[1]);
  expect(names).toEqual([
    "Content-Length: 1",
    "Content-Encoding: gzip",
    "Via: 1",
    "X-Cache: 1",
    "CF-Ray: 1",
    "Age: 1",
    "Server: nginx",
    "X-Accel-Buffering: no",
  ]);
});

describe("a hostile value", () => {
  test.each([
    { name: "of 80 characters is shown", value: "x".repeat(80), shown: "x".repeat(80) },
    { name: "of 81 is cut", value: "x".repeat(81), shown: `${"x".repeat(80)}…` },
    { name: "of a megabyte is cut", value: "x".repeat(1_000_000), shown: `${"x".repeat(80)}…` },
    { name: "that moves the cursor does not", value: "a\u001B[2Jb\r\nc\td", shown: "a?[2Jb??c?d" },
    { name: "that reorders text does not", value: "a\u202Eb\u200Bc", shown: "a?b?c" },
    { name: "that ends the quotation does not", value: "a`b", shown: "a?b" },
    { name: "beyond ASCII is not shown", value: "ä€😀~ ", shown: "???~ " },
  ])("$name", ({ value, shown }) => {
    expect(describeLikelyCauses([told, ["Via", value]])).toEqual([
      `\`Via: ${shown}\` (a proxy forwarded the response)`,
    ]);
  });

  test("never leads to more than eight short lines of visible text", () => {
    const names = ["Via", "Server", "Age", "X-Cache", "CF-Ray", "Content-Length", "Content-Encoding", "Other"];
    const field = fc.tuple(fc.constantFrom(...names), fc.string({ unit: anyCharacter, maxLength: 120 }));
    fc.assert(
      fc.property(fc.array(field, { maxLength: 20 }), (headers) => {
        const causes = describeLikelyCauses(headers);
        expect(causes.length).toBeLessThanOrEqual(8);
        expect(causes.every((cause) => cause.length <= 170 && /^[\x20-\x7E…]+$/u.test(cause))).toBe(true);
      }),
      { numRuns: repetitions(12, 50) },
    );
  });
});

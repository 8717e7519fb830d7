import type { HeaderField } from "@assay/evidence";
import { describe, expect, test } from "vitest";
import { cameOf, currentCreated, currentList, expectedOf, legacyCreated, legacyList } from "../testing/call-log.ts";
import type { CallCase } from "../testing/call-log.ts";

const json: readonly HeaderField[] = [["Content-Type", "application/json"]];
const client = (value: string): readonly HeaderField[] => [...json, ["x-requested-with", value]];

describe("without the header, the legacy interface", () => {
  test.each<CallCase>([
    { name: "refuses", calls: [legacyList([]), legacyList([], { headers: json, status: 400 })], observed: 1 },
    {
      name: "does not succeed",
      calls: [legacyList([]), legacyList([], { headers: json })],
      observed: 1,
      violations: ["list without `X-Requested-With` was answered with 200"],
    },
    {
      name: "does not succeed with an empty one either",
      calls: [legacyList([], { headers: client(" ") })],
      observed: 1,
      violations: ["list without `X-Requested-With` was answered with 200"],
    },
    {
      name: "refuses creations",
      calls: [legacyCreated(1), legacyCreated(2, { headers: json, status: 403 })],
      observed: 1,
    },
    { name: "is not judged where nothing succeeds", calls: [legacyList([], { headers: json, status: 400 })] },
    {
      name: "is not judged by a creation that is flawed anyway",
      calls: [legacyCreated(1), legacyCreated(2, { headers: json, body: {}, status: 400 })],
    },
    { name: "is not judged in a recording", calls: [legacyList([], { headers: json, credential: "unknown" })] },
    {
      name: "is not judged by requests of nobody",
      calls: [legacyList([]), legacyList([], { headers: json, credential: "none", status: 401 })],
    },
    {
      name: "is not judged on distress",
      calls: [legacyList([]), legacyList([], { headers: json, status: 503 })],
      obstacle: "transport: an answer to list other than 503",
    },
    { name: "is not judged by a bad one", calls: [legacyList([]), legacyList([], { headers: client("assay") })] },
  ])("$name", (row) => {
    expect(cameOf("legacy/x-requested-with-is-required", row.calls)).toEqual(expectedOf(row));
  });
});

describe("with a header of one word, the legacy interface", () => {
  test.each<CallCase>([
    {
      name: "refuses",
      calls: [legacyList([]), legacyList([], { headers: client("assay"), status: 400 })],
      observed: 1,
    },
    {
      name: "does not succeed",
      calls: [legacyList([]), legacyList([], { headers: client("assay/1.0") })],
      observed: 1,
      violations: ["list with an `X-Requested-With` of one word was answered with 200"],
    },
    {
      name: "is not judged by a good one",
      calls: [legacyList([]), legacyList([], { headers: client("my client 1") })],
    },
    { name: "is not judged without one", calls: [legacyList([]), legacyList([], { headers: json })] },
  ])("$name", (row) => {
    expect(cameOf("legacy/x-requested-with-has-its-shape", row.calls)).toEqual(expectedOf(row));
  });
});

describe("without the header, the current interface", () => {
  const bare = { headers: json };

  test.each<CallCase>([
    { name: "succeeds", calls: [currentList([], bare), currentCreated(1, bare)], observed: 2 },
    {
      name: "does not refuse what it answers with the header",
      calls: [currentList([]), currentList([], { ...bare, status: 400 })],
      observed: 1,
      violations: ["a list without `X-Requested-With` was refused with 400, one with it was not"],
    },
    {
      name: "is not judged where the header makes no difference",
      calls: [currentList([], { status: 400 }), currentList([], { ...bare, status: 400 })],
    },
    { name: "is not judged by answers with the header", calls: [currentList([])] },
    { name: "is not judged in a recording", calls: [currentList([], { ...bare, credential: "unknown" })] },
    {
      name: "is not judged on distress",
      calls: [currentList([], { ...bare, status: 503 })],
      obstacle: "transport: an answer to list other than 503",
    },
  ])("$name", (row) => {
    expect(cameOf("current/needs-no-x-requested-with", row.calls)).toEqual(expectedOf(row));
  });
});

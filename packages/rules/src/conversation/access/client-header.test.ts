import type { HeaderField } from "@assay/evidence";
import { describe, expect, test } from "vitest";
import { outcomeOfCalls, currentCreated, currentList, expectedOutcome } from "../testing/call-log.ts";
import type { CallCase } from "../testing/call-log.ts";

const json: readonly HeaderField[] = [["Content-Type", "application/json"]];

describe("without the header, the current interface", () => {
  const bare = { headers: json };

  test.each<CallCase>([
    { name: "succeeds", calls: [currentList([], bare), currentCreated(1, bare)], observed: 2 },
    {
      name: "does not refuse what it answers with the header",
      calls: [currentList([]), currentList([], { ...bare, status: 400 })],
      observed: 1,
      violations: ["a list without `X-Requested-With` was refused with 400, but one with it was not"],
    },
    {
      name: "is not judged where the header makes no difference",
      calls: [currentList([], { status: 400 }), currentList([], { ...bare, status: 400 })],
    },
    {
      name: "may refuse another token, which may be wrong",
      calls: [currentList([]), currentList([], { ...bare, status: 401, credential: "other-token" })],
    },
    {
      name: "does not refuse another token that it answers with the header",
      calls: [
        currentList([]),
        currentList([], { credential: "other-token" }),
        currentList([], { ...bare, status: 401, credential: "other-token" }),
      ],
      observed: 1,
      violations: ["a list without `X-Requested-With` was refused with 401, but one with it was not"],
    },
    {
      name: "may refuse a cursor that it never gave out",
      calls: [currentList([]), currentList([], { ...bare, status: 400, body: { pageToken: "no-such-cursor" } })],
    },
    { name: "is not judged by answers with the header", calls: [currentList([])] },
    { name: "is not judged in a recording", calls: [currentList([], { ...bare, credential: "unknown" })] },
    {
      name: "is not judged on distress",
      calls: [currentList([], { ...bare, status: 503 })],
      blockedBy: "transport: a response to list other than 503",
    },
  ])("$name", (row) => {
    expect(outcomeOfCalls("current/needs-no-x-requested-with", row.calls)).toEqual(expectedOutcome(row));
  });
});

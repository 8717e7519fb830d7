import { describe, expect, test } from "vitest";
import { pinnedApi } from "./description/describe-api.ts";
import { findUnobservedParts } from "./unseen-operations.ts";

const operation = (name: "create" | "get", statuses: readonly string[]) => ({
  interface: "legacy" as const,
  operation: name,
  method: "GET",
  path: "/x",
  requestMembers: [],
  statuses,
  responseErrors: () => undefined,
  reasonForNoVerdict: () => undefined,
});
const api = {
  operations: [operation("create", ["200", "202", "4XX", "404", "default"]), operation("get", ["200"])],
  otherOperations: ["GET /other"],
};
const seen = (status?: number) => ({ interface: "legacy" as const, operation: "create" as const, status });

describe("operations and responses that were never observed", () => {
  test.each([
    [[200], ["202", "4XX", "404", "default"]],
    [[200, 202, 404, 403, 500], []],
    [[404], ["200", "202", "4XX", "default"]],
    [[429], ["200", "202", "404", "default"]],
    [[301], ["200", "202", "4XX", "404"]],
  ])("after the statuses %j are the responses %j", (statuses, responses) => {
    const unseen = findUnobservedParts(api, statuses.map(seen));
    expect(unseen.responses.map(({ status }) => status)).toEqual(responses);
    expect(unseen.operations.map((other) => other.operation)).toEqual(["get"]);
  });

  test("includes an operation that was tried without a response", () => {
    expect(findUnobservedParts(api, [seen()])).toEqual({
      operations: [
        { interface: "legacy", operation: "create", method: "GET", path: "/x" },
        { interface: "legacy", operation: "get", method: "GET", path: "/x" },
      ],
      responses: [],
      otherOperations: ["GET /other"],
    });
  });

  test("is everything if nothing was observed, and the reference does not count", () => {
    const unseen = findUnobservedParts(pinnedApi(), [{ interface: "reference", operation: "describe", status: 200 }]);
    expect(unseen.operations).toHaveLength(13);
  });
});

import { repetitions } from "@assay/tools/proving";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { conversationRules } from "../../all-rules.ts";
import { judgeConversations } from "./judge-conversations.ts";
import { recordedCalls } from "../testing/recorded-calls.ts";
import type { CallSketch } from "../testing/recorded-calls.ts";
import {
  completedQuestion,
  completedConversation,
  failedConversation,
  processingQuestion,
  retrievedConversation,
  processingConversation,
} from "../testing/sample-conversations.ts";

const target = { access: "private", sharing: "on" } as const;

/** JSON whose members have the names that rules look for. */
const keys = fc.constantFrom(
  "id",
  "questions",
  "question",
  "conversation",
  "conversation_id",
  "name",
  "state",
  "status",
  "error",
  "answer",
  "input",
  "text",
  "markdown",
  "stats",
  "turns",
  "sources",
  "viewer",
  "quota_usage",
  "created_at",
  "updated_at",
  "createTime",
  "retry_time",
  "suggested_followups",
  "read_token",
  "share_url",
  "conversations",
  "conversationSummaries",
  "nextPageToken",
  "page_info",
  "kind",
  "code",
  "processing",
  "completed",
  "__proto__",
  "toString",
  "length",
);
const { tree } = fc.letrec((tie) => ({
  tree: fc.oneof(
    { maxDepth: 5, withCrossShrink: true },
    fc.constantFrom<unknown>(
      null,
      true,
      0,
      -1,
      1,
      1e21,
      "",
      "1",
      "processing",
      "completed",
      "2026-01-05T10:00:00Z",
      "users/1/conversations/1",
    ),
    fc.array(tie("tree"), { maxLength: 4 }),
    fc.dictionary(keys, tie("tree"), { maxKeys: 8 }),
  ),
}));

/** An answer that is nearly one: a sample with some members replaced. */
const nearly = fc
  .tuple(
    fc.constantFrom(
      retrievedConversation([processingQuestion()]),
      retrievedConversation([completedQuestion()]),
      processingConversation(),
      completedConversation(),
      failedConversation({}),
    ),
    fc.dictionary(keys, tree, { maxKeys: 3 }),
  )
  .map(([sample, changes]) => ({ ...sample, ...changes }));

const sketch: fc.Arbitrary<CallSketch> = fc.record(
  {
    interface: fc.constantFrom("legacy", "current"),
    operation: fc.constantFrom("create", "get", "list", "follow-up", "cancel", "delete"),
    conversation: fc.constantFrom(1, 2, "x", "%", "../1"),
    body: fc.oneof(tree, fc.string()),
    answer: fc.oneof(nearly, tree, fc.string()),
    status: fc.constantFrom(200, 202, 204, 302, 400, 401, 404, 429, 500, 0),
    credential: fc.constantFrom("access-token", "other-token", "none", "unknown"),
    query: fc.dictionary(fc.constantFrom("sort", "page_first", "filter_id"), fc.constantFrom("id", "-id", "1", "")),
    session: fc.constantFrom("a", "b"),
    sentAtMicros: fc.nat(10),
    endedAtMicros: fc.integer({ min: 10, max: 20 }),
  },
  { requiredKeys: ["operation"] },
);

const judged = (sketches: readonly CallSketch[]) =>
  judgeConversations({ rules: conversationRules, target, calls: recordedCalls(sketches) }).outcomes;

describe("all rules about conversations", () => {
  test("have an outcome whatever a target sends", () => {
    fc.assert(
      fc.property(fc.array(sketch, { maxLength: 8 }), (sketches) => {
        expect(judged(sketches).size).toBe(conversationRules.length);
      }),
      { numRuns: repetitions(30, 120) },
    );
  });

  test("come to the same each time", () => {
    fc.assert(
      fc.property(fc.array(sketch, { maxLength: 6 }), (sketches) => {
        expect(judged(sketches)).toEqual(judged(sketches));
      }),
      { numRuns: 20 },
    );
  });

  test("name an exchange that there is, and quote little of it", () => {
    fc.assert(
      fc.property(fc.array(sketch, { maxLength: 6 }), (sketches) => {
        const findings = [...judged(sketches).values()].flatMap((outcome) => outcome.findings);
        const ids = new Set(sketches.map((_, index) => String(index + 1)));
        expect(findings.filter(({ exchange = "" }) => !ids.has(exchange))).toEqual([]);
        expect(findings.filter(({ message }) => message.length > 600)).toEqual([]);
      }),
      { numRuns: repetitions(10, 40) },
    );
  });

  test("observe nothing where nothing was sent", () => {
    const outcomes = [...judged([])].filter(
      ([, { observations, findings }]) => observations > 0 || findings.length > 0,
    );
    expect(outcomes).toEqual([]);
  });
});

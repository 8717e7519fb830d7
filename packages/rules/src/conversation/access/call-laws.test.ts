import { repetitions } from "@assay/tools/proving";
import { credentialKinds } from "@assay/evidence";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import * as access from "./index.ts";
import { callRules, currentShown, judgeCalls, legacyQuestion, legacyShown } from "../testing/call-log.ts";
import type { CallSketch } from "../testing/recorded-calls.ts";

const id = fc.oneof(fc.constantFrom(1, 2, 3), fc.constant(2_000_000_000));
const status = fc.constantFrom("pending", "processing", "completed", "canceled", "odd");
const legacyAnswer = fc
  .tuple(id, fc.array(status, { maxLength: 3 }))
  .map(([number, statuses]) =>
    legacyShown(number, { questions: statuses.map((word, at) => legacyQuestion(word, "words", 10 + at)) }),
  );
const currentAnswer = fc.tuple(id, status).map(([number, word]) => currentShown(number, word));
const listAnswer = fc
  .tuple(
    fc.array(fc.oneof(legacyAnswer, currentAnswer, fc.jsonValue()), { maxLength: 4 }),
    fc.constantFrom("a", "b", undefined),
  )
  .map(([conversations, next]) => ({ conversations, next_cursor: next, nextPageToken: next }));
const answer = fc.oneof(legacyAnswer, currentAnswer, listAnswer, fc.jsonValue(), fc.string(), fc.constant(""));

const query = fc.dictionary(
  fc.constantFrom(
    "filter_id",
    "filter_user_id",
    "filter_read_token",
    "filter_is_starred",
    "page_first",
    "page_after",
    "sort",
    "odd",
  ),
  fc.constantFrom("1", "7", "true", "false", "a", "b", "id", "-updated_at", "token-of-1", ""),
  { maxKeys: 3 },
);
const body = fc.oneof(
  fc.jsonValue(),
  fc.string(),
  fc.constant(""),
  fc.record(
    {
      parent: fc.constantFrom("users/~self", 1),
      pageSize: fc.constantFrom(1, "x"),
      pageToken: fc.constantFrom("a", "b"),
    },
    { requiredKeys: [] },
  ),
);

/** A call at any time of a short run; where no body is drawn, the request is a good one. */
const call: fc.Arbitrary<CallSketch> = fc
  .tuple(
    fc.record({
      interface: fc.constantFrom("legacy" as const, "current" as const),
      operation: fc.constantFrom(
        "create" as const,
        "get" as const,
        "list" as const,
        "follow-up" as const,
        "cancel" as const,
        "delete" as const,
      ),
      conversation: fc.oneof(id, fc.string()),
      query,
      credential: fc.constantFrom(...credentialKinds),
      status: fc.constantFrom(0, 200, 202, 204, 302, 400, 401, 403, 404, 429, 500),
      answer,
    }),
    fc.record({ body, cutBy: fc.constant("reset"), headers: fc.constant([]) }, { requiredKeys: [] }),
    fc.record({ sentAtMicros: fc.nat({ max: 20 }), lasts: fc.nat({ max: 5 }) }),
  )
  .map(([usual, odd, { sentAtMicros, lasts }]) => ({
    ...usual,
    ...odd,
    sentAtMicros,
    endedAtMicros: sentAtMicros + lasts,
  }));
const log = fc.array(call, { maxLength: 14 });
const targets = fc.record({ sharing: fc.constantFrom("on" as const, "off" as const, "undeclared" as const) });

/** Says of each rule what it observed and how many violations it found. */
const counted = (outcomes: ReturnType<typeof judgeCalls>) =>
  [...outcomes].map(([rule, { observations, findings }]) => ({
    rule,
    observations,
    violations: findings.filter(({ kind }) => kind === "violation").length,
  }));

describe("whatever was sent and answered", () => {
  test("no rule throws, and each violation was an observation", () => {
    fc.assert(
      fc.property(log, targets, (calls, target) => {
        for (const { violations, observations } of counted(judgeCalls(calls, target))) {
          expect(violations).toBeLessThanOrEqual(observations);
        }
      }),
      { numRuns: repetitions(75, 300) },
    );
  });

  test("judging twice comes to the same", () => {
    fc.assert(
      fc.property(log, targets, (calls, target) => {
        expect(judgeCalls(calls, target)).toEqual(judgeCalls(calls, target));
      }),
      { numRuns: repetitions(10, 30) },
    );
  });

  test("a recording made elsewhere says nothing about who may do what", () => {
    const requests = new Set<string>([
      "legacy/bad-request-is-refused",
      "current/bad-request-is-refused",
      "legacy/refusal-has-a-message",
      "current/refusal-is-no-server-error",
    ]);
    const aboutAccess = new Set<string>(
      Object.values(access)
        .flat()
        .map((rule) => rule.id)
        .filter((rule) => !requests.has(rule)),
    );
    fc.assert(
      fc.property(log, targets, (calls, target) => {
        const recorded = calls.map((sketch) => ({ ...sketch, credential: "unknown" as const }));
        const spoken = counted(judgeCalls(recorded, target)).filter(({ rule }) => aboutAccess.has(rule));
        expect(spoken.filter(({ observations }) => observations > 0)).toEqual([]);
      }),
      { numRuns: repetitions(25, 100) },
    );
  });

  test("a target in distress breaks nothing and shows nothing", () => {
    const distress = fc.constantFrom({ status: 429 }, { status: 503 }, { cutBy: "reset" }, { status: 0 });
    const troubled = fc.array(
      fc.tuple(call, distress).map(([sketch, trouble]) => ({ ...sketch, ...trouble })),
      { maxLength: 10 },
    );
    fc.assert(
      fc.property(troubled, targets, (calls, target) => {
        expect(counted(judgeCalls(calls, target)).filter(({ observations }) => observations > 0)).toEqual([]);
      }),
      { numRuns: repetitions(25, 100) },
    );
  });
});

test("each rule has an id of its own", () => {
  expect(new Set(callRules.map((rule) => rule.id)).size).toBe(callRules.length);
  expect(callRules).toHaveLength(58);
});

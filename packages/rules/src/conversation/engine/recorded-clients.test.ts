import { expect, test } from "vitest";
import {
  outcomeOfCalls,
  currentCreated,
  currentRead,
  legacyCreated,
  legacyList,
  legacyRead,
} from "../testing/call-log.ts";
import type { CallSketch } from "../testing/recorded-calls.ts";

/** Of a recording: the credential is known by what was sent alone. */
const by = (token: string | undefined, sketch: CallSketch): CallSketch => ({
  ...sketch,
  credential: "unknown",
  headers: [
    ["Content-Type", "application/json"],
    ["X-Requested-With", "browser 1.0"],
    ...(token === undefined ? [] : [["Authorization", token] as const]),
  ],
});
const anna = "token anna";
const refusedList = legacyList([], { status: 401 });

const listViolations = (...calls: readonly CallSketch[]): readonly string[] =>
  outcomeOfCalls("legacy/list-parameters-are-accepted", calls).violations;

test.each([
  { name: "reads", before: legacyRead(1), after: legacyRead(1) },
  { name: "a creation and a read", before: legacyCreated(1), after: legacyRead(1) },
  { name: "other lists", before: legacyList([1]), after: legacyList([1], { query: { page_first: "1" } }) },
])(
  "a credential that was accepted before and after, by $name, is not refused with 401 between",
  ({ before, after }) => {
    expect(listViolations(by(anna, before), by(anna, refusedList), by(anna, after))).toEqual(["a list returned 401"]);
  },
);

test.each([
  {
    name: "another client was accepted",
    calls: [by(anna, legacyRead(1)), by("token bert", refusedList), by(anna, legacyRead(1))],
  },
  {
    name: "nobody knows who sent it",
    calls: [by(undefined, legacyRead(1)), by(undefined, refusedList), by(undefined, legacyRead(1))],
  },
  { name: "it was accepted only later", calls: [by(anna, refusedList), by(anna, legacyRead(1))] },
  { name: "it was accepted only before", calls: [by(anna, legacyRead(1)), by(anna, refusedList)] },
  {
    name: "the other interface accepted it",
    calls: [by(anna, currentRead(1)), by(anna, refusedList), by(anna, currentRead(1))],
  },
  {
    name: "it is forbidden, which may be of what was asked",
    calls: [
      by(anna, legacyRead(1)),
      by(anna, legacyList([], { status: 403, query: { filter_id: "9" } })),
      by(anna, legacyRead(1)),
    ],
  },
])("a refusal shows nothing where $name", ({ calls }) => {
  expect(listViolations(...calls)).toEqual([]);
});

test("the very same list is not refused between two of it", () => {
  const shared = (status: number): CallSketch =>
    by(anna, legacyList([1], { status, query: { filter_read_token: "r" } }));
  expect(listViolations(shared(200), shared(404), shared(200))).toEqual([
    "a list with `filter_read_token` returned 404",
  ]);
});

const cancelled = (changes: Partial<CallSketch>): CallSketch =>
  by(anna, { operation: "cancel", conversation: 1, questionId: 11, answer: "", ...changes });

test("a cancellation is not refused with 401 for a credential that was accepted before and after", () => {
  const violations = (status: number): readonly string[] =>
    outcomeOfCalls("legacy/cancel-is-accepted", [
      by(anna, legacyCreated(1)),
      cancelled({ status }),
      by(anna, legacyRead(1)),
    ]).violations;
  expect(violations(401)).toEqual(["cancelling a question that was processing returned 401"]);
  // It may have ended meanwhile.
  expect(violations(400)).toEqual([]);
});

test("in the current interface, a token that may read is not known to be one that may write", () => {
  const created = by(anna, currentCreated(1));
  const calls = [
    created,
    by(anna, currentRead(1)),
    by(anna, { ...currentCreated(2), status: 401 }),
    by(anna, currentRead(1)),
  ];
  expect(outcomeOfCalls("current/create-is-accepted", calls).violations).toEqual([]);
  expect(outcomeOfCalls("current/create-is-accepted", [...calls, by(anna, currentCreated(3))]).violations).toHaveLength(
    1,
  );
});

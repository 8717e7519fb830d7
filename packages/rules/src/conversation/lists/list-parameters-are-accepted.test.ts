import { expect, test } from "vitest";
import { outcomeOfCalls, expectedOutcome, legacyCreated, legacyList } from "../testing/call-log.ts";
import type { CallCase } from "../testing/call-log.ts";

const refused = (query: Readonly<Record<string, string>>) => legacyList([], { query, status: 400 });
const envelope = ["legacy/list-envelope"];

test.each<CallCase>([
  {
    name: "holds for lists of any form, and notes each form once",
    calls: [legacyList([1]), legacyList([1], { query: { sort: "-id" } }), legacyList([], { answer: [] })],
    observed: 3,
    unspecified: [...envelope, ...envelope],
  },
  {
    name: "notes what it does not recognise, and observes nothing",
    calls: [legacyList([], { answer: { nodes: { 1: {} } } })],
    unspecified: envelope,
  },
  {
    name: "is broken by what is not JSON, of each sort of list",
    calls: [
      legacyList([1]),
      legacyList([1], { query: { filter_id: "1" }, answer: "none" }),
      legacyList([1], { query: { sort: "id" }, answer: "" }),
    ],
    observed: 3,
    unspecified: envelope,
    violations: ["a list with `filter_id` returned text that is not JSON", "a list with `sort` returned nothing"],
  },
  {
    name: "is broken by a parameter that brings server errors each time",
    calls: [
      legacyList([1]),
      legacyList([], { query: { sort: "id" }, status: 500 }),
      legacyList([1]),
      legacyList([], { query: { sort: "-id" }, status: 500 }),
    ],
    observed: 4,
    unspecified: envelope,
    violations: Array.from({ length: 2 }, () => "a list with `sort` returned 500"),
  },
  {
    name: "is broken by the refusal of a plain list",
    calls: [refused({})],
    observed: 1,
    violations: ["a list returned 400"],
  },
  {
    name: "is broken by the refusal of documented values",
    calls: [refused({ sort: "updated_at", page_first: "100" })],
    observed: 1,
    violations: ["a list with `page_first`, `sort` returned 400"],
  },
  {
    name: "is broken by the refusal of filters for what the user has",
    calls: [
      legacyCreated(1),
      refused({ filter_id: "1" }),
      refused({ filter_user_id: "7" }),
      refused({ filter_read_token: "token-of-1" }),
      refused({ filter_is_starred: "false" }),
    ],
    observed: 4,
    violations: ["filter_id", "filter_user_id", "filter_read_token", "filter_is_starred"].map(
      (name) => `a list with \`${name}\` returned 400`,
    ),
  },
  {
    name: "is not observed for the refusal of filters for what others may have",
    calls: [
      legacyCreated(1),
      refused({ filter_id: "2" }),
      refused({ filter_user_id: "8" }),
      refused({ filter_read_token: "token-of-2" }),
    ],
  },
  {
    name: "is not observed for the refusal of values that are not documented",
    calls: [refused({ sort: "title" }), refused({ page_first: "0" }), refused({ page: "1" })],
  },
  { name: "is not observed for the refusal of a very large page", calls: [refused({ page_first: "101" })] },
  {
    name: "is broken by the refusal of a cursor that was given, and only of that",
    calls: [
      legacyList([1], { answer: { conversations: [], next_cursor: "c" } }),
      refused({ page_after: "c" }),
      refused({ page_after: "d" }),
    ],
    observed: 2,
    unspecified: envelope,
    violations: ["a list with `page_after` returned 400"],
  },
  {
    name: "is not observed for a refusal in a recording",
    calls: [legacyList([], { status: 400, credential: "unknown" })],
  },
  {
    name: "holds for a list in a recording",
    calls: [legacyList([1], { credential: "unknown" })],
    observed: 1,
    unspecified: envelope,
  },
  {
    name: "cannot run where a sort of list met distress only",
    calls: [legacyList([1]), legacyList([1], { query: { sort: "id" }, status: 503 })],
    observed: 1,
    unspecified: envelope,
    blockedBy: "transport: a response to list other than 503",
  },
])("the rule $name", (row) => {
  expect(outcomeOfCalls("legacy/list-parameters-are-accepted", row.calls)).toEqual(expectedOutcome(row));
});

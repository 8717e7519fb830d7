import { expect, test } from "vitest";
import { outcomeOfCalls, expectedOutcome, legacyCreated, legacyList } from "../testing/call-log.ts";
import type { CallCase } from "../testing/call-log.ts";

const two = [legacyCreated(1), legacyCreated(2)];
const first = { query: { page_first: "1" } };

test.each<CallCase>([
  { name: "holds for a page of the size where there is more", calls: [...two, legacyList([1], first)], observed: 1 },
  {
    name: "holds for a smaller page where there is more",
    calls: [...two, legacyCreated(3), legacyList([1], { query: { page_first: "2" } })],
    observed: 1,
  },
  {
    name: "is broken by an empty page where there is more",
    calls: [...two, legacyList([], first)],
    observed: 1,
    violations: ["`page_first=1` returned no conversation, although the same user created some"],
  },
  {
    name: "is not broken by an empty page that leads on to another one",
    calls: [...two, legacyList([], { ...first, answer: { conversations: [], next_cursor: "c" } })],
    observed: 1,
  },
  {
    name: "is not broken by an empty page after another one",
    calls: [legacyCreated(1), legacyList([], { query: { page_first: "1", page_after: "1" } })],
  },
  {
    name: "is not broken by an empty page of another user",
    calls: [legacyCreated(1), legacyList([], { ...first, credential: "other-token" })],
  },
  {
    name: "is broken by a larger page",
    calls: [legacyList([1, 2], first)],
    observed: 1,
    violations: ["`page_first=1` returned 2 conversations"],
  },
  { name: "is not observed where there is no more", calls: [legacyCreated(1), legacyList([1], first)] },
  {
    name: "is not observed where the other was deleted",
    calls: [...two, { operation: "delete", conversation: 2 }, legacyList([1], first)],
  },
  {
    name: "is not observed where a filter leaves less",
    calls: [...two, legacyList([1], { query: { page_first: "1", filter_id: "1" } })],
  },
  { name: "is not observed for what is no size", calls: [legacyList([1, 2], { query: { page_first: "-1" } })] },
  {
    name: "cannot run on distress",
    calls: [...two, legacyList([], { ...first, status: 503 })],
    blockedBy: "transport: a response to list other than 503",
  },
])("the rule $name", (row) => {
  expect(outcomeOfCalls("legacy/page-first-bounds", row.calls)).toEqual(expectedOutcome(row));
});

import { describe, expect, test } from "vitest";
import {
  outcomeOfCalls,
  expectedOutcome,
  legacyCreated,
  legacyList,
  legacyRead,
  legacyShown,
} from "../testing/call-log.ts";
import type { CallCase } from "../testing/call-log.ts";
import type { CallSketch } from "../testing/recorded-calls.ts";

const fresh = [legacyCreated(1), legacyCreated(2)];
const two = [...fresh, legacyRead(1), legacyRead(2)];
const removed: CallSketch = { operation: "delete", conversation: 1 };
const distress = "transport: a response to list other than 503";

describe("a filter by id", () => {
  const byId = (ids: readonly number[], sketch: Partial<CallSketch> = {}): CallSketch =>
    legacyList(ids, { query: { filter_id: "1" }, ...sketch });

  test.each<CallCase>([
    { name: "holds for the conversation alone", calls: [...two, byId([1])], observed: 1 },
    {
      name: "is broken by another conversation",
      calls: [...two, byId([1, 2])],
      observed: 1,
      violations: ["`filter_id=1` returned conversation 2"],
    },
    {
      name: "is broken by nothing where there is one",
      calls: [...two, byId([])],
      observed: 1,
      violations: ["`filter_id=1` did not return that conversation, which was created and not deleted"],
    },
    { name: "may list nothing yet of what was just created", calls: [...fresh, byId([])], observed: 1 },
    { name: "may list nothing after a deletion", calls: [...two, removed, byId([])], observed: 1 },
    {
      name: "may list nothing in a further page",
      calls: [...two, byId([], { query: { filter_id: "1", page_after: "c" } })],
      observed: 1,
    },
    {
      name: "may list nothing for another user",
      calls: [...two, byId([], { credential: "other-token" })],
    },
    { name: "is not observed where the user has no other", calls: [legacyCreated(1), byId([1])] },
    { name: "holds where others were listed", calls: [legacyList([1, 2]), byId([1])], observed: 1 },
    {
      name: "is broken in a recording as well",
      calls: [byId([2], { credential: "unknown" })],
      observed: 1,
      violations: ["`filter_id=1` returned conversation 2"],
    },
    { name: "is not observed for refusals", calls: [...two, byId([], { status: 400 })] },
    {
      name: "cannot run on distress",
      calls: [...two, byId([], { status: 503 })],
      blockedBy: distress,
    },
  ])("$name", (row) => {
    expect(outcomeOfCalls("legacy/filter-id-filters", row.calls)).toEqual(expectedOutcome(row));
  });
});

describe("a filter by user", () => {
  const byUser = (ids: readonly number[], user: string, sketch: Partial<CallSketch> = {}): CallSketch =>
    legacyList(ids, { query: { filter_user_id: user }, ...sketch });
  const bare = (ids: readonly number[]): readonly object[] => ids.map((id) => ({ id }));

  test.each<CallCase>([
    {
      name: "holds for conversations of the user",
      calls: [...two, byUser([1, 2], "7")],
      observed: 1,
    },
    {
      name: "is broken by a conversation of another user",
      calls: [byUser([], "7", { answer: [legacyShown(1), legacyShown(3, { user_id: 8 })] })],
      observed: 1,
      violations: ["`filter_user_id=7` returned a conversation of user 8"],
    },
    {
      name: "is broken by an own conversation where another user is asked for",
      calls: [...two, byUser([], "8", { answer: bare([2]) })],
      observed: 1,
      violations: ["`filter_user_id=8` returned 2, a conversation of user 7"],
    },
    {
      name: "is broken when an own conversation is missing",
      calls: [...two, byUser([2], "7")],
      observed: 1,
      violations: ["`filter_user_id=7` did not return 1, a conversation of that user"],
    },
    {
      name: "is not observed when a missing one may be on a further page",
      calls: [...two, byUser([], "7", { answer: { conversations: bare([2]), next: "c" } })],
    },
    {
      name: "is not observed when a missing one may not have fit",
      calls: [...two, byUser([], "7", { answer: bare([2]), query: { filter_user_id: "7", page_first: "1" } })],
    },
    { name: "holds for nothing of another user", calls: [...two, byUser([], "8")], observed: 1 },
    { name: "is not observed for nothing where nothing is known", calls: [byUser([], "8")] },
    {
      name: "cannot run on distress",
      calls: [...two, byUser([], "7", { status: 503 })],
      blockedBy: distress,
    },
  ])("$name", (row) => {
    expect(outcomeOfCalls("legacy/filter-user-id-filters", row.calls)).toEqual(expectedOutcome(row));
  });
});

describe("a filter by read token", () => {
  const byToken = (ids: readonly number[], sketch: Partial<CallSketch> = {}): CallSketch =>
    legacyList(ids, { query: { filter_read_token: "token-of-1" }, ...sketch });

  test.each<CallCase>([
    { name: "holds for the conversation alone", calls: [...two, byToken([1])], observed: 1 },
    {
      name: "is broken by another conversation",
      calls: [...two, byToken([2])],
      observed: 1,
      violations: ["`filter_read_token` with the token of conversation 1 returned conversation 2"],
    },
    {
      name: "is broken by nothing",
      calls: [...two, byToken([])],
      observed: 1,
      violations: ["`filter_read_token` with the token of conversation 1 did not return that conversation"],
    },
    { name: "lists no other after a deletion", calls: [...two, removed, byToken([])], observed: 1 },
    {
      name: "is not observed for another user",
      calls: [...two, byToken([], { credential: "other-token" })],
    },
    {
      name: "holds where the replacement of the token is longer in the address",
      calls: [...two, byToken([1], { query: { filter_read_token: "token-of-1......" } })],
      observed: 1,
    },
    {
      name: "is not observed where the replacement of the token is too short to tell it apart",
      calls: [
        legacyCreated(1, { answer: legacyShown(1, { read_token: "xxxxx" }) }),
        byToken([1], { query: { filter_read_token: "xxxxxxx" } }),
      ],
    },
    {
      name: "may list what had the token once",
      calls: [...two, legacyRead(1, { answer: legacyShown(1, { read_token: "new" }) }), byToken([1])],
      observed: 1,
    },
    {
      name: "may list either of two conversations that have the token",
      calls: [...two, legacyCreated(3, { answer: legacyShown(3, { read_token: "token-of-1" }) }), byToken([3])],
      observed: 0,
    },
    {
      name: "is broken where it lists both of two conversations that have the token",
      calls: [...two, legacyCreated(3, { answer: legacyShown(3, { read_token: "token-of-1" }) }), byToken([1, 3])],
      observed: 1,
      violations: ["`filter_read_token` with the read token shared by 1 and 3 returned 2 conversations"],
    },
    {
      name: "is broken where it lists none of two conversations that have the token",
      calls: [...two, legacyCreated(3, { answer: legacyShown(3, { read_token: "token-of-1" }) }), byToken([])],
      observed: 1,
      violations: ["`filter_read_token` with the read token shared by 1 and 3 returned neither of them"],
    },
    {
      name: "lists nothing for a token that nobody has",
      calls: [...two, byToken([], { query: { filter_read_token: "nobodys" } })],
      observed: 1,
    },
    {
      name: "fails for any conversation with a token that no conversation has, for every user",
      calls: [
        ...two,
        byToken([2], { query: { filter_read_token: "nobodys" } }),
        byToken([1], { query: { filter_read_token: "nobodys" }, credential: "other-token" }),
      ],
      observed: 2,
      violations: [
        "`filter_read_token` returned conversation 2, which has a different read token",
        "`filter_read_token` returned conversation 1, which has a different read token",
      ],
    },
    {
      name: "is not observed for a token that nobody has where no token is known",
      calls: [byToken([1], { query: { filter_read_token: "nobodys" } })],
    },
    {
      name: "is not observed where the user has no other",
      calls: [legacyCreated(1), byToken([1])],
    },
    {
      name: "cannot run on distress",
      calls: [...two, byToken([], { status: 503 })],
      blockedBy: distress,
    },
  ])("$name", (row) => {
    expect(outcomeOfCalls("legacy/filter-read-token-filters", row.calls)).toEqual(expectedOutcome(row));
  });
});

describe("a filter by star", () => {
  const starred = (ids: readonly number[], sketch: Partial<CallSketch> = {}): CallSketch =>
    legacyList(ids, { query: { filter_is_starred: "true" }, ...sketch });
  const others = (ids: readonly number[], sketch: Partial<CallSketch> = {}): CallSketch =>
    legacyList(ids, { query: { filter_is_starred: "false" }, ...sketch });
  const later = { sentAtMicros: 60_000_000, endedAtMicros: 60_001_000 };

  test.each<CallCase>([
    {
      name: "holds for lists that have nothing in common",
      calls: [starred([3]), others([1, 2])],
      observed: 1,
    },
    {
      name: "is broken by a conversation in both",
      calls: [others([1, 3]), starred([3])],
      observed: 1,
      violations: ["3 is listed as starred (2) and as not starred"],
    },
    {
      name: "is forgotten beside an order",
      calls: [
        legacyCreated(1),
        starred([]),
        others([1]),
        starred([1], { query: { filter_is_starred: "true", sort: "-id" } }),
      ],
      observed: 2,
      violations: ["1 is listed as starred (4) and as not starred"],
    },
    { name: "is not observed for two empty lists", calls: [starred([]), others([])] },
    {
      name: "is broken by what is neither",
      calls: [legacyCreated(1), legacyRead(1), starred([3]), others([2])],
      observed: 1,
      violations: ["1 is listed neither as starred nor as not starred"],
    },
    {
      name: "is not broken by what may be on another page, or was deleted",
      calls: [
        legacyCreated(1),
        starred([3]),
        others([2], { query: { filter_is_starred: "false", page_first: "1" } }),
        { operation: "delete", conversation: 1 },
        others([2]),
      ],
      observed: 2,
    },
    { name: "is not observed for one list", calls: [others([1])] },
    {
      name: "compares lists of one user only",
      calls: [starred([1]), others([1], { credential: "other-token" })],
    },
    {
      name: "passes over what a person may have starred meanwhile",
      calls: [starred([3]), others([3], later)],
      observed: 1,
    },
    {
      name: "is broken by what the run created at any time",
      calls: [legacyCreated(1), starred([1]), others([1], later)],
      observed: 1,
      violations: ["1 is listed as starred (2) and as not starred"],
    },
    {
      name: "passes over what a person starred while recording",
      calls: [starred([3], { credential: "unknown" }), others([3], { credential: "unknown" })],
      observed: 1,
    },
    {
      name: "cannot run on distress",
      calls: [starred([]), others([], { status: 503 })],
      blockedBy: distress,
    },
  ])("$name", (row) => {
    expect(outcomeOfCalls("legacy/filter-is-starred-filters", row.calls)).toEqual(expectedOutcome(row));
  });
});

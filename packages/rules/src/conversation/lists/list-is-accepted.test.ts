import { describe, expect, test } from "vitest";
import {
  outcomeOfCalls,
  currentCreated,
  currentList,
  currentRead,
  currentShown,
  expectedOutcome,
  legacyList,
} from "../testing/call-log.ts";
import type { CallCase } from "../testing/call-log.ts";

const body = ["current/list-body"];
const lacks = "the list of `users/~self` lacks 1, which the same user created";

describe("a list of the user's conversations", () => {
  test.each<CallCase>([
    {
      name: "holds with those of the user",
      calls: [currentCreated(1), currentList([1, 2])],
      observed: 1,
      unspecified: body,
    },
    {
      name: "is broken by a refusal",
      calls: [currentList([], { status: 400 })],
      observed: 1,
      violations: ["a list of `users/~self` returned 400"],
    },
    {
      name: "is broken when it lacks one",
      calls: [currentCreated(1), currentRead(1), currentList([2])],
      observed: 1,
      violations: [lacks],
    },
    {
      name: "may lack one that was just created",
      calls: [currentCreated(1), currentList([2])],
      observed: 1,
      unspecified: body,
    },
    {
      name: "is broken by an empty object where there is one",
      calls: [currentCreated(1), currentRead(1), currentList([], { answer: {} })],
      observed: 1,
      violations: [lacks],
    },
    {
      name: "holds as an empty object where there is none",
      calls: [currentList([], { answer: {} })],
      observed: 1,
      unspecified: body,
    },
    {
      name: "holds where another page may have it",
      calls: [currentCreated(1), currentList([], { answer: { conversationSummaries: [], nextPageToken: "a" } })],
      observed: 1,
      unspecified: body,
    },
    {
      name: "holds after a deletion",
      calls: [currentCreated(1), { interface: "current", operation: "delete", conversation: 1 }, currentList([])],
      observed: 1,
      unspecified: body,
    },
    ...[null, { chats: [] }, { chats: null, total: 0, more: false }].map((answer) => ({
      name: `is broken by what holds nothing, ${JSON.stringify(answer)}, where there is one`,
      calls: [currentCreated(1), currentRead(1), currentList([], { answer })],
      observed: 1,
      violations: [lacks],
    })),
    ...[{ chats: "none" }, { chats: { 1: {} } }, { total: 3 }, { chats: null, more: true }].map((answer) => ({
      name: `is noted where it is not recognised, ${JSON.stringify(answer)}`,
      calls: [currentCreated(1), currentList([], { answer })],
      unspecified: body,
    })),
    {
      name: "is not observed for the refusal of another parent",
      calls: [currentList([], { status: 403, body: { parent: "users/1" } })],
    },
    {
      name: "is not observed for the refusal of filters",
      calls: [currentList([], { status: 400, body: { parent: "users/~self", filters: [] } })],
    },
    {
      name: "is not observed for the refusal of a very large page",
      calls: [currentList([], { status: 400, body: { parent: "users/~self", pageSize: 1000 } })],
    },
    {
      name: "cannot run with a token that nothing shows to be good",
      calls: [currentList([], { status: 401 })],
      blockedBy: "prerequisite: a token that the target accepts",
    },
    {
      name: "is broken for another user whose token is accepted elsewhere",
      calls: [
        currentList([]),
        currentList([], { credential: "other-token", status: 401 }),
        legacyList([], { credential: "other-token" }),
      ],
      observed: 2,
      violations: ["a list of `users/~self` returned 401"],
      unspecified: ["current/list-body"],
    },
    {
      name: "holds where another token is refused that may be wrong",
      calls: [currentList([]), currentList([], { credential: "other-token", status: 401 })],
      observed: 1,
      unspecified: ["current/list-body"],
    },
    {
      name: "cannot run on distress",
      calls: [currentList([], { status: 503 })],
      blockedBy: "transport: a response to list other than 503",
    },
    {
      name: "cannot run on an answer that is too deep",
      calls: [currentList([1]), currentList([], { answer: "[".repeat(257) })],
      observed: 1,
      unspecified: body,
      blockedBy: expect.stringMatching(/^limit: a response to list/u),
    },
  ])("$name", (row) => {
    expect(outcomeOfCalls("current/list-is-accepted", row.calls)).toEqual(expectedOutcome(row));
  });
});

const named = (...users: readonly string[]) =>
  currentList([], {
    answer: {
      conversationSummaries: users.map((user, id) => ({
        name: `users/${user}/conversations/${id}`,
      })),
    },
  });

describe("`users/~self`", () => {
  test.each<CallCase>([
    { name: "stands for one user", calls: [named("7", "7")], observed: 1 },
    {
      name: "may stand in the answer",
      calls: [currentCreated(1), named("~self", "7")],
      observed: 1,
    },
    {
      name: "does not stand for two",
      calls: [named("7", "8")],
      observed: 1,
      violations: ["the list of `users/~self` contains conversations of the users `7` and `8`"],
    },
    {
      name: "is not accepted for a user other than the creator",
      calls: [currentCreated(1), named("8")],
      observed: 1,
      violations: ["the list of `users/~self` contains conversations of the users `7` and `8`"],
    },
    {
      name: "may stand for another with another credential",
      calls: [currentCreated(5, { credential: "other-token" }), named("8", "8")],
      observed: 1,
    },
    {
      name: "does not stand for the user who created what another user asks for",
      calls: [currentCreated(1), { ...named("7", "7"), credential: "other-token" }],
      observed: 1,
      violations: ["the list of `users/~self` contains conversation 1, which another user created"],
    },
    {
      name: "may stand for the same user with another token",
      calls: [currentCreated(1), { ...named("7", "7"), credential: "oauth-token" }],
      observed: 1,
    },
    { name: "is not observed for one conversation of which nothing is known", calls: [named("7")] },
    {
      name: "is not observed for names of another form",
      calls: [currentList([], { answer: [{ name: "a" }, { name: "b" }] })],
    },
    {
      name: "is not observed for other parents",
      calls: [currentList([1, 2], { body: { parent: "users/7" } })],
    },
    {
      name: "is not compared with the creator in a recording",
      calls: [currentCreated(1, { credential: "unknown" }), { ...named("8"), credential: "unknown" }],
    },
    {
      name: "cannot be judged on distress",
      calls: [currentCreated(1, { answer: currentShown(1) }), currentList([], { status: 503 })],
      blockedBy: "transport: a response to list other than 503",
    },
  ])("$name", (row) => {
    expect(outcomeOfCalls("current/self-stands-for-the-user", row.calls)).toEqual(expectedOutcome(row));
  });
});

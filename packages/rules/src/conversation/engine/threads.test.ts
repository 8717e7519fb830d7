import { expect, test } from "vitest";
import { recordedCall, recordedCalls } from "../testing/recorded-calls.ts";
import type { CallSketch } from "../testing/recorded-calls.ts";
import { legacyConversation, working } from "../testing/sample-conversations.ts";
import { readConversations } from "./conversation-evidence.ts";
import type { ConversationInterface } from "./conversation-operation.ts";
import type { Thread } from "./threads.ts";

const threads = (sketches: readonly CallSketch[], name: ConversationInterface = "legacy"): readonly Thread[] =>
  readConversations(recordedCalls(sketches)).threads(name);

const create: CallSketch = { operation: "create", answer: legacyConversation([]) };
const get: CallSketch = { operation: "get", answer: {} };

test("calls are sorted by the conversation they name, in the order of sending", () => {
  const found = threads([
    get,
    { ...get, conversation: 2 },
    create,
    { operation: "list", answer: [] },
    { ...get, interface: "current" },
  ]);
  expect(found.map(({ id, calls }) => [id, calls.map(({ record }) => record.id)])).toEqual([
    ["1", ["1", "3"]],
    ["2", ["2"]],
  ]);
});

test("calls that arrive out of order are put into the order of sending", () => {
  const late = recordedCall({ id: "late", operation: "get", sentAtMicros: 9 });
  const { calls } = readConversations([late, recordedCall({ id: "early", operation: "get", sentAtMicros: 3 })]);
  expect(calls.map(({ record }) => record.id)).toEqual(["early", "late"]);
});

test.each<{ name: string; sketches: readonly CallSketch[]; thread: Partial<Thread> }>([
  { name: "who created it", sketches: [create], thread: { owner: "access-token" } },
  {
    name: "nothing about an unknown creator",
    sketches: [{ ...create, credential: "unknown" }],
    thread: { owner: undefined },
  },
  { name: "nothing about a creation nobody saw", sketches: [get], thread: { owner: undefined } },
  {
    name: "its deletion",
    sketches: [create, { operation: "delete", sentAtMicros: 5_000_000 }],
    thread: { deletedAtMicros: 5_000_000 },
  },
  {
    name: "a deletion that may have happened",
    sketches: [create, { operation: "delete", status: 0 }],
    thread: { deletedAtMicros: 1_000_000 },
  },
])("a thread knows $name", ({ sketches, thread }) => {
  expect(threads(sketches)).toMatchObject([thread]);
});

test("a deletion that was refused is none", () => {
  expect(threads([create, { operation: "delete", status: 404 }])[0]).not.toHaveProperty("deletedAtMicros");
});

test("a thread of the current interface is named by the last part of the name", () => {
  const sketches: readonly CallSketch[] = [
    { interface: "current", operation: "create", answer: working() },
    { interface: "current", operation: "cancel" },
  ];
  expect(threads(sketches, "current")).toMatchObject([{ id: "1", calls: [{}, {}] }]);
});

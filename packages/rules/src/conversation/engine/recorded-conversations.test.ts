import { expect, test } from "vitest";
import { recordedCall, recordedCalls } from "../testing/recorded-calls.ts";
import type { CallSketch } from "../testing/recorded-calls.ts";
import { legacyConversation, processingConversation } from "../testing/sample-conversations.ts";
import { readConversations } from "./conversation-evidence.ts";
import type { ConversationInterface } from "./conversation-operation.ts";
import type { RecordedConversation } from "./recorded-conversations.ts";

const conversationsOf = (
  sketches: readonly CallSketch[],
  name: ConversationInterface = "legacy",
): readonly RecordedConversation[] => readConversations(recordedCalls(sketches)).conversationsOf(name);

const create: CallSketch = { operation: "create", answer: legacyConversation([]) };
const get: CallSketch = { operation: "get", answer: {} };

test("calls are sorted by the conversation they name, in the order of sending", () => {
  const found = conversationsOf([
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

test.each<{ name: string; sketches: readonly CallSketch[]; recordedConversation: Partial<RecordedConversation> }>([
  { name: "who created it", sketches: [create], recordedConversation: { owner: "access-token" } },
  {
    name: "nothing about an unknown creator",
    sketches: [{ ...create, credential: "unknown" }],
    recordedConversation: { owner: undefined },
  },
  { name: "nothing about a creation nobody saw", sketches: [get], recordedConversation: { owner: undefined } },
  {
    name: "its deletion",
    sketches: [create, { operation: "delete", sentAtMicros: 5_000_000 }],
    recordedConversation: { deletedAtMicros: 5_000_000 },
  },
  {
    name: "a deletion that may have happened",
    sketches: [create, { operation: "delete", status: 0 }],
    recordedConversation: { deletedAtMicros: 1_000_000 },
  },
])("a recorded conversation has $name", ({ sketches, recordedConversation }) => {
  expect(conversationsOf(sketches)).toMatchObject([recordedConversation]);
});

test("a deletion that was refused is none", () => {
  expect(conversationsOf([create, { operation: "delete", status: 404 }])[0]).not.toHaveProperty("deletedAtMicros");
});

test("a recorded conversation of the current interface is named by the last part of the name", () => {
  const sketches: readonly CallSketch[] = [
    { interface: "current", operation: "create", answer: processingConversation() },
    { interface: "current", operation: "cancel" },
  ];
  expect(conversationsOf(sketches, "current")).toMatchObject([{ id: "1", calls: [{}, {}] }]);
});

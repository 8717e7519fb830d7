import { describe, expect, test } from "vitest";
import { resultOf } from "../testing/result-of.ts";
import { bundleOf } from "./testing/bundle-of.ts";
import { calls } from "./testing/conversation-calls.ts";
import type { CallSketch } from "./testing/conversation-calls.ts";
import { createTimelines } from "./create-timelines.ts";

function timelines(sketches: readonly CallSketch[]) {
  const exchanges = calls(sketches);
  return createTimelines(bundleOf(exchanges), resultOf(exchanges, { rules: ["legacy/status-transitions-are-listed"] }));
}

const read = (at: number, other: Partial<CallSketch> = {}): CallSketch => ({
  states: ["processing"],
  sent: at,
  answered: at + 5,
  ...other,
});

/** Each conversation and its lanes as text. */
const lanesOf = (sketches: readonly CallSketch[]) =>
  timelines(sketches).conversations.map(({ conversation, lanes }) => [
    conversation,
    ...lanes.map(
      ({ interface: name, question, polls }) => `${name} ${question}: ${polls.map(({ state }) => state).join(" ")}`,
    ),
  ]);

describe("conversations", () => {
  test("of both interfaces are merged if they are the same, with a lane for each question", () => {
    const lanes = lanesOf([
      read(0, { operation: "create" }),
      read(10, { states: ["completed"] }),
      read(20, { operation: "follow-up", states: ["completed", "processing"] }),
      read(30, { states: ["completed", "completed"] }),
      read(40, { interface: "current", states: ["completed", "completed"] }),
    ]);
    expect(lanes).toEqual([
      [
        "1",
        "legacy question 1 (id 100): processing completed completed completed",
        "legacy question 2 (id 101): processing completed",
        "current question 2: completed",
      ],
    ]);
  });

  test("are separate if only their ids are the same", () => {
    const elsewhere = read(10, { interface: "current", states: ["completed"], asks: "something else" });
    expect(lanesOf([read(0), elsewhere])).toEqual([
      ["1", "legacy question 1 (id 100): processing"],
      ["1", "current question 1: completed"],
    ]);
  });

  test("have polls with their times since the start of the run", () => {
    const [conversation] = timelines([read(70), read(90, { states: ["completed"] })]).conversations;
    expect(conversation?.lanes[0]).toMatchObject({
      morePolls: 0,
      polls: [
        { exchange: "0001", sentMicros: 70, answeredMicros: 75, state: "processing" },
        { exchange: "0002", sentMicros: 90, answeredMicros: 95, state: "completed" },
      ],
    });
  });

  test.each<{ name: string; sketches: readonly CallSketch[] }>([
    { name: "refusals", sketches: [read(0, { status: 404 }), read(10, { status: 404 })] },
    { name: "deletions", sketches: [read(0, { operation: "delete" })] },
    { name: "empty lists of questions", sketches: [read(0, { states: [] })] },
  ])("are not shown by $name", ({ sketches }) => {
    expect(timelines(sketches)).toMatchObject({ conversations: [], moreConversations: 0, diagrams: [] });
  });

  test("are capped: those that violations name come first, then those of both interfaces, then the longest", () => {
    const many = Array.from({ length: 70 }, (_, index) => read(10 * index, { conversation: index + 1, session: "s" }));
    const broken = [
      read(5000, { conversation: 65, states: ["completed"], session: "s" }),
      read(5010, { conversation: 65, session: "s" }),
      read(5020, { conversation: 65, session: "s" }),
    ];
    const both = read(6000, { interface: "current", conversation: 68 });
    const long = read(7000, { conversation: 70 });
    const { conversations, moreConversations } = timelines([...many, ...broken, both, long]);
    expect(moreConversations).toBe(10);
    const shown = conversations.map(({ conversation }) => Number(conversation));
    expect(shown).toEqual([...Array.from({ length: 57 }, (_, index) => index + 1), 65, 68, 70]);
  });

  test("have 2,000 polls in total, including changes of state, and the number of the others", () => {
    const polls = Array.from({ length: 900 }, (_, index) =>
      [1, 2, 3].map((conversation) =>
        read(100 * index, { conversation, states: [index < 437 ? "processing" : "completed"] }),
      ),
    ).flat();
    const lanes = timelines(polls).conversations.flatMap((conversation) => conversation.lanes);
    expect(lanes.reduce((sum, lane) => sum + lane.polls.length, 0)).toBeLessThanOrEqual(2000);
    for (const lane of lanes) {
      expect(lane.polls.length + lane.morePolls).toBe(900);
      expect(lane.polls.filter(({ sentMicros }) => sentMicros === 43_600 || sentMicros === 43_700)).toHaveLength(2);
    }
  });

  test("have some of very many questions and the number of the others", () => {
    const states = Array.from({ length: 5000 }, () => "completed");
    const [conversation] = timelines([read(0, { states })]).conversations;
    expect([conversation?.lanes.length, conversation?.moreLanes]).toEqual([24, 1000]);
  });

  test("have states that are short and visible", () => {
    const [conversation] = timelines([
      read(0, { states: ["\u001B[31m"] }),
      read(10, { states: ["s".repeat(999)] }),
    ]).conversations;
    expect(conversation?.lanes[0]?.polls.map(({ state }) => state)).toEqual(["\\x1b[31m", `${"s".repeat(59)}…`]);
  });
});

import type { ConversationTimeline, EventLane, QuestionPoll, StateDiagram, StreamTimeline } from "@assay/results";
import fc from "fast-check";

/** A slow stream with every time. */
export const sampleStream: StreamTimeline = {
  exchange: "0001",
  probe: "search",
  url: "http://code.example/.api/search/stream?q=x",
  status: 200,
  bytes: 2400,
  connectedMicros: 2100,
  headersMicros: 24_000,
  firstByteMicros: 24_900,
  firstEventMicros: 24_900,
  firstMatchMicros: 60_000,
  finalProgressMicros: 120_000,
  doneMicros: 120_100,
  endedMicros: 121_000,
  serverDurationMs: 110,
  lanes: [
    {
      event: "progress",
      events: 2,
      ticks: [
        { fromMicros: 24_900, toMicros: 24_900, bytes: 90, events: 1, matches: 0 },
        { fromMicros: 120_000, toMicros: 120_000, bytes: 110, events: 1, matches: 0 },
      ],
    },
    {
      event: "matches",
      events: 3,
      ticks: [{ fromMicros: 55_000, toMicros: 60_000, bytes: 2100, events: 3, matches: 12 }],
    },
    { event: "done", events: 1, ticks: [{ fromMicros: 120_100, toMicros: 120_100, bytes: 20, events: 1, matches: 0 }] },
  ],
};

/** A poll of a lane. */
export const poll = (state: string, sentMicros: number, answeredMicros: number): QuestionPoll => ({
  exchange: "0007",
  state,
  sentMicros,
  answeredMicros,
});

/** A conversation through both interfaces. */
export const sampleConversation: ConversationTimeline = {
  conversation: "7",
  lanes: [
    {
      interface: "legacy",
      question: "question 1 (id 70)",
      polls: [
        poll("processing", 1_000_000, 1_010_000),
        poll("processing", 1_100_000, 1_110_000),
        poll("completed", 1_200_000, 1_230_000),
      ],
      morePolls: 3,
    },
    { interface: "current", question: "question 1", polls: [poll("completed", 1_300_000, 1_301_000)], morePolls: 0 },
  ],
};

/** The state machine of the current interface with a backward transition. */
export const sampleDiagram: StateDiagram = {
  interface: "current",
  states: ["processing", "completed", "error", "canceled"].map((state, index) => ({
    state,
    listed: true,
    terminal: index > 0,
    seen: 3 - index,
  })),
  edges: [
    { from: "processing", to: "completed", standing: "allowed", seen: 2 },
    { from: "processing", to: "error", standing: "allowed", seen: 0 },
    { from: "processing", to: "canceled", standing: "unstated", seen: 1 },
    { from: "completed", to: "processing", standing: "not-allowed", seen: 1 },
  ],
};

const micros = fc.oneof(fc.nat({ max: 2_000_000 }), fc.constantFrom(0, 1, 5_000_000_000));

const arbitraryLane: fc.Arbitrary<EventLane> = fc.record({
  event: fc.oneof(fc.constantFrom("matches", "progress", "filters", "done", "alert"), fc.string()),
  events: fc.nat(),
  ticks: fc.array(
    fc
      .record({
        fromMicros: micros,
        lasted: fc.nat({ max: 50_000 }),
        bytes: fc.nat(),
        events: fc.nat(),
        matches: fc.nat(),
      })
      .map(({ lasted, ...tick }) => ({ ...tick, toMicros: tick.fromMicros + lasted })),
    { maxLength: 12 },
  ),
});

/** Timelines of streams, including impossible ones. */
export const arbitraryStream: fc.Arbitrary<StreamTimeline> = fc.record(
  {
    exchange: fc.string(),
    probe: fc.string(),
    url: fc.string(),
    status: fc.nat({ max: 999 }),
    bytes: fc.nat(),
    connectedMicros: micros,
    headersMicros: micros,
    firstByteMicros: micros,
    firstEventMicros: micros,
    firstMatchMicros: micros,
    finalProgressMicros: micros,
    doneMicros: micros,
    endedMicros: micros,
    serverDurationMs: fc.oneof(fc.nat(), fc.constantFrom(1e300, 0)),
    buffered: fc.string({ maxLength: 600 }),
    failure: fc.string(),
    lanes: fc.array(arbitraryLane, { maxLength: 5 }),
  },
  { requiredKeys: ["exchange", "probe", "url", "bytes", "endedMicros", "lanes"] },
);

const arbitraryPoll: fc.Arbitrary<QuestionPoll> = fc
  .record({
    exchange: fc.string(),
    state: fc.oneof(fc.constantFrom("processing", "completed", "error"), fc.string()),
    sentMicros: micros,
    lasted: fc.nat({ max: 90_000 }),
  })
  .map(({ lasted, ...sent }) => ({ ...sent, answeredMicros: sent.sentMicros + lasted }));

/** Timelines of conversations, including impossible ones. */
export const arbitraryConversation: fc.Arbitrary<ConversationTimeline> = fc.record(
  {
    conversation: fc.string(),
    lanes: fc.array(
      fc.record({
        interface: fc.constantFrom("legacy", "current"),
        question: fc.string(),
        polls: fc.array(arbitraryPoll, { maxLength: 15 }),
        morePolls: fc.nat(),
      }),
      { maxLength: 4 },
    ),
    moreLanes: fc.nat(),
  },
  { requiredKeys: ["conversation", "lanes"] },
);

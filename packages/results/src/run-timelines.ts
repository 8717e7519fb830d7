import { closedObject, count, type Stored } from "@assay/reading";
import * as Type from "typebox";
import { schemaHeader, schemaVersionSchema } from "./schema-header.ts";

/** Creates the shape of non-negative microseconds with fractions. */
const microsShape = (description?: string) =>
  Type.Number({ minimum: 0, ...(description === undefined ? {} : { description }) });
const atLeastOneShape = (description: string) => Type.Integer({ minimum: 1, description });
const sinceSending = Type.Optional(microsShape("Microseconds since the request was sent. Absent if it did not occur."));
const InterfaceShape = Type.Enum(["legacy", "current"]);

const EventTickShape = closedObject({
  bytes: count(),
  events: atLeastOneShape("Number of events. Neighbours that would overlap are merged."),
  fromMicros: microsShape("Arrival of the first byte, in microseconds since the request was sent."),
  toMicros: microsShape("Arrival of the last byte, in microseconds since the request was sent."),
  matches: count("Number of elements in the `matches` arrays of the events."),
});
/** Bytes of one event type that arrived together. */
export interface EventTick extends Stored<typeof EventTickShape> {}

const EventLaneShape = closedObject(
  {
    event: Type.String({ description: "Name as the target sent it, visibly escaped and capped." }),
    events: atLeastOneShape("Number of events."),
    ticks: Type.Array(EventTickShape),
  },
  { description: "The events of one name, in order." },
);
/** One lane of a stream: the events of one name, in order. */
export interface EventLane extends Stored<typeof EventLaneShape> {}

const StreamTimelineShape = closedObject(
  {
    exchange: Type.String(),
    probe: Type.String(),
    url: Type.String(),
    status: Type.Optional(count("HTTP status.")),
    bytes: count(),
    connectedMicros: sinceSending,
    headersMicros: sinceSending,
    firstByteMicros: sinceSending,
    firstEventMicros: sinceSending,
    firstMatchMicros: sinceSending,
    finalProgressMicros: sinceSending,
    doneMicros: sinceSending,
    endedMicros: microsShape("Microseconds since the request was sent."),
    serverDurationMs: Type.Optional(
      Type.Number({ minimum: 0, description: "`durationMs` of the target's last progress event, in milliseconds." }),
    ),
    buffered: Type.Optional(
      Type.String({ description: "Why the stream seems to be buffered on its way, as one sentence." }),
    ),
    failure: Type.Optional(Type.String({ description: "One sentence if the exchange failed." })),
    lanes: Type.Array(EventLaneShape, { description: "In order of first appearance." }),
  },
  { $id: "stream", description: "How one stream arrived." },
);
/** The arrival of one stream. Times that did not occur are absent. */
export interface StreamTimeline extends Stored<typeof StreamTimelineShape> {}

const QuestionPollShape = closedObject(
  {
    exchange: Type.String(),
    sentMicros: microsShape("Microseconds since the start of the run."),
    answeredMicros: microsShape("Microseconds since the start of the run."),
    state: Type.String(),
  },
  { description: "A response with the state of a question." },
);
/** A response with the state of a question. Times are microseconds since the start of the run. */
export interface QuestionPoll extends Stored<typeof QuestionPollShape> {}

const QuestionLaneShape = closedObject(
  {
    interface: InterfaceShape,
    question: Type.String({ description: "The question as this interface names it, visibly escaped and capped." }),
    polls: Type.Array(QuestionPollShape),
    morePolls: count("Number of polls that were left out because there were too many."),
  },
  { description: "One question through one interface." },
);
/** One question through one interface. */
export interface QuestionLane extends Stored<typeof QuestionLaneShape> {}

const ConversationTimelineShape = closedObject(
  {
    conversation: Type.String(),
    lanes: Type.Array(QuestionLaneShape),
    moreLanes: Type.Optional(
      count("Number of questions that were left out because there were too many. Absent if there are none."),
    ),
  },
  { $id: "conversation" },
);
/** One conversation, with lanes of both interfaces if both showed it. */
export interface ConversationTimeline extends Stored<typeof ConversationTimelineShape> {}

const StateEdgeShape = closedObject(
  {
    from: Type.String(),
    to: Type.String(),
    standing: Type.Enum(["allowed", "not-allowed", "unstated"], {
      description: "`unstated`: the specifications leave it open.",
    }),
    seen: count("Number of questions that took it."),
  },
  { description: "A transition from one state to another." },
);
/** A transition from one state to another. */
export interface StateEdge extends Stored<typeof StateEdgeShape> {}

const StateDiagramShape = closedObject(
  {
    interface: InterfaceShape,
    states: Type.Array(
      closedObject({ state: Type.String(), listed: Type.Boolean(), terminal: Type.Boolean(), seen: count() }),
      { description: "States of the specifications in their order, then other states that were seen, sorted." },
    ),
    edges: Type.Array(StateEdgeShape),
    beginnings: Type.Optional(
      Type.Array(closedObject({ state: Type.String(), seen: count("Number of questions.") }), {
        description:
          "First states of questions that the specifications do not allow as first states. Absent if there are none.",
      }),
    ),
  },
  { $id: "diagram", description: "The permitted transitions of one interface, and those that were seen." },
);
/** The state machine of one interface: the permitted transitions, and those that were seen. */
export interface StateDiagram extends Stored<typeof StateDiagramShape> {}

const ExchangeDetailShape = closedObject(
  {
    exchange: Type.String(),
    method: Type.String(),
    url: Type.String(),
    status: Type.Optional(count("HTTP status.")),
    requestHeaders: Type.Array(Type.String(), { description: "Lines `name: value`, visibly escaped and capped." }),
    requestBody: Type.Optional(Type.String()),
    responseHeaders: Type.Array(Type.String(), { description: "Lines `name: value`, visibly escaped and capped." }),
    bodyHead: Type.String({
      description: "First bytes of the body as visibly escaped text, at most 2,000 characters.",
    }),
    bodyBytes: count(),
  },
  { $id: "exchange", description: "The exchange of a finding, without secrets." },
);
/** The exchange of a finding, redacted. The finding itself has the bytes around its position. */
export interface ExchangeDetail extends Stored<typeof ExchangeDetailShape> {}

/** The content of `timelines.json`. Members are written in this order. */
export const RunTimelinesShape = closedObject(
  {
    schemaVersion: schemaVersionSchema(1),
    runId: Type.String(),
    streams: Type.Array(StreamTimelineShape),
    moreStreams: count(),
    conversations: Type.Array(ConversationTimelineShape),
    moreConversations: count(),
    diagrams: Type.Array(StateDiagramShape),
    exchanges: Type.Array(ExchangeDetailShape, { description: "The exchanges that a finding names." }),
    moreExchanges: count(),
  },
  {
    ...schemaHeader("timelines", 1, "Timelines of a run"),
    description:
      "The content of `timelines.json`: how each stream arrived, and the states that each poll showed. Members that begin with `more` count what was left out.",
  },
);
/**
 * The data of the figures, derived from evidence alone. `timelines.json` is its JSON. The same evidence gives the same bytes. Lists are
 * capped, and members that begin with `more` count the omitted entries.
 */
export interface RunTimelines extends Stored<typeof RunTimelinesShape> {}

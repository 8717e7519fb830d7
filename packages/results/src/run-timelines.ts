/** Bytes of one event type that arrived together. All times of a timeline are microseconds since the request was sent. */
export interface EventTick {
  /** Arrival of the first and of the last byte. */
  readonly fromMicros: number;
  readonly toMicros: number;
  readonly bytes: number;
  /** Number of events, at least one; neighbours that would overlap are merged. */
  readonly events: number;
  /** Elements of their `matches` arrays. */
  readonly matches: number;
}

/** One lane of a stream: the events of one name, in order. */
export interface EventLane {
  /** Name as the target sent it, visibly escaped and capped. */
  readonly event: string;
  readonly events: number;
  readonly ticks: readonly EventTick[];
}

/** How one stream arrived. Times that did not occur are absent. */
export interface StreamTimeline {
  readonly exchange: string;
  readonly probe: string;
  readonly url: string;
  readonly status?: number;
  readonly bytes: number;
  readonly connectedMicros?: number;
  readonly headersMicros?: number;
  readonly firstByteMicros?: number;
  readonly firstEventMicros?: number;
  readonly firstMatchMicros?: number;
  readonly finalProgressMicros?: number;
  readonly doneMicros?: number;
  readonly endedMicros: number;
  /** `durationMs` of the target's last progress event, in milliseconds. */
  readonly serverDurationMs?: number;
  /** Why the stream seems to be buffered on its way, one sentence. */
  readonly buffered?: string;
  /** In order of first appearance. */
  readonly lanes: readonly EventLane[];
  /** One sentence if the exchange failed. */
  readonly failure?: string;
}

/** A response with the state of a question. Times are microseconds since the start of the run. */
export interface QuestionPoll {
  readonly exchange: string;
  readonly sentMicros: number;
  readonly answeredMicros: number;
  readonly state: string;
}

/** One question through one interface. */
export interface QuestionLane {
  readonly interface: "legacy" | "current";
  /** The question as this interface names it, visibly escaped and capped. */
  readonly question: string;
  readonly polls: readonly QuestionPoll[];
  /** Polls left out because there were too many. */
  readonly morePolls: number;
}

/** One conversation, with lanes of both interfaces if both showed it. */
export interface ConversationTimeline {
  readonly conversation: string;
  readonly lanes: readonly QuestionLane[];
  /** Questions left out because there were too many [0]. */
  readonly moreLanes?: number;
}

/** A transition from one state to another. */
export interface StateEdge {
  readonly from: string;
  readonly to: string;
  /** `unstated`: the specifications leave it open. */
  readonly standing: "allowed" | "not-allowed" | "unstated";
  /** Number of questions that took it. */
  readonly seen: number;
}

/** The state machine of one interface: the permitted transitions, and those that were seen. */
export interface StateDiagram {
  readonly interface: "legacy" | "current";
  /** States of the specifications in their order, then other states that were seen, sorted. */
  readonly states: readonly {
    readonly state: string;
    readonly listed: boolean;
    readonly terminal: boolean;
    readonly seen: number;
  }[];
  readonly edges: readonly StateEdge[];
  /**
   * First states of questions that the specifications do not allow as first states, with the number of questions [none].
   */
  readonly beginnings?: readonly { readonly state: string; readonly seen: number }[];
}

/** The exchange of a finding, redacted. The finding itself has the bytes around its place. */
export interface ExchangeDetail {
  readonly exchange: string;
  readonly method: string;
  readonly url: string;
  /** Lines `name: value`, visibly escaped and capped. */
  readonly requestHeaders: readonly string[];
  readonly requestBody?: string;
  readonly status?: number;
  readonly responseHeaders: readonly string[];
  /** First bytes of the body as visibly escaped text, at most 2,000 characters. */
  readonly bodyHead: string;
  readonly bodyBytes: number;
}

/**
 * The data of the figures, derived from evidence alone; `timelines.json` is its JSON. The same evidence gives the same bytes. Lists are
 * capped; members with `more` count the rest.
 */
export interface RunTimelines {
  readonly schemaVersion: 1;
  readonly runId: string;
  readonly streams: readonly StreamTimeline[];
  readonly moreStreams: number;
  readonly conversations: readonly ConversationTimeline[];
  readonly moreConversations: number;
  readonly diagrams: readonly StateDiagram[];
  /** Only of exchanges that a finding names. */
  readonly exchanges: readonly ExchangeDetail[];
  readonly moreExchanges: number;
}

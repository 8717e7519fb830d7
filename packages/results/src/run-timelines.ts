/** Bytes of one event type that arrived together. All times of a timeline are microseconds since the request was sent. */
export interface EventTick {
  /** Arrival of the first and of the last byte. */
  readonly fromMicros: number;
  readonly toMicros: number;
  readonly bytes: number;
  /** Events in it, at least one; more than one where neighbours were drawn together. */
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

/** How one stream arrived. Absent instants did not come. */
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
  /** The target's own `durationMs` of its last progress, in milliseconds. */
  readonly serverDurationMs?: number;
  /** Why it looks as if something between held the stream back, one sentence. */
  readonly buffered?: string;
  /** In order of first appearance. */
  readonly lanes: readonly EventLane[];
  /** One sentence, when the exchange failed. */
  readonly failure?: string;
}

/** One answer that showed the state of a question. Times are microseconds since the start of the run. */
export interface QuestionPoll {
  readonly exchange: string;
  readonly sentMicros: number;
  readonly answeredMicros: number;
  readonly state: string;
}

/** What was seen of one question through one interface. */
export interface QuestionLane {
  readonly interface: "legacy" | "current";
  /** The question as this interface names it, visibly escaped and capped. */
  readonly question: string;
  readonly polls: readonly QuestionPoll[];
  /** Polls left out because there were too many. */
  readonly morePolls: number;
}

/** Everything seen of one conversation; lanes of both interfaces where both showed it. */
export interface ConversationTimeline {
  readonly conversation: string;
  readonly lanes: readonly QuestionLane[];
  /** Questions left out because there were too many [0]. */
  readonly moreLanes?: number;
}

/** A step from one state to another, as the tables of the specifications see it. */
export interface StateEdge {
  readonly from: string;
  readonly to: string;
  /** `unstated`: the specifications leave it open. */
  readonly standing: "allowed" | "not-allowed" | "unstated";
  /** How many questions took it; 0 where none did. */
  readonly seen: number;
}

/** The state machine of one interface: what may happen, and what did. */
export interface StateDiagram {
  readonly interface: "legacy" | "current";
  /** States of the specifications in their order, then others that were seen, sorted. */
  readonly states: readonly {
    readonly state: string;
    readonly listed: boolean;
    readonly terminal: boolean;
    readonly seen: number;
  }[];
  readonly edges: readonly StateEdge[];
  /**
   * Listed states that the answer to the request that asked a question showed although the specifications allow none of them there,
   * and how many questions began so [none].
   */
  readonly beginnings?: readonly { readonly state: string; readonly seen: number }[];
}

/** The exchange behind a finding, for people: heads as recorded (redacted), and the body around what matters is in the finding. */
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
 * What the pages draw, derived from evidence alone; `timelines.json` is its JSON. The same evidence gives the same bytes. Lists
 * are capped; `left out` counts what is missing.
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

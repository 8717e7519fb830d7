/** What one answer shows of a question. */
export interface QuestionSnapshot {
  /** Absent where the interface has none; the question is then known by its position. */
  readonly id?: string;
  readonly text?: string;
  /** Its own state; in the current interface only where questions show one besides the conversation. */
  readonly status?: string;
  /** RFC 3339; what is not is left to other rules. */
  readonly createdAt?: string;
  readonly updatedAt?: string;
  /** Names of what the question has, as the gates of the machine call it. */
  readonly facts: ReadonlySet<string>;
  /** What has to stay as it is once the question is finished, as one text. A digest is kept, never the text. */
  readonly content?: string;
  /** What the content is, for findings [unknown]. */
  readonly outcome?: ShownOutcome;
}

/** How a question ended. */
export interface ShownOutcome {
  readonly kind: "answer" | "error";
  /** Of the answer, or of what the error says; a finding quotes its beginning. */
  readonly text: string;
}

/** What one answer shows of a conversation. */
export interface Snapshot {
  /** Current only. */
  readonly state?: string;
  readonly createdAt?: string;
  readonly updatedAt?: string;
  /**
   * All questions in their order. Absent says nothing about them. So does an empty list in the answer to a write; in a read
   * it says that there are none. A single question in the answer to a follow-up is taken for the new one alone.
   */
  readonly questions?: readonly QuestionSnapshot[];
}

/** An answered read: it showed the conversation as it was at some instant between sending and the end of the answer. */
export interface Read {
  readonly kind: "read";
  readonly exchange: string;
  /** Reads of one session are made by one poller. */
  readonly session: string;
  readonly conversation: string;
  readonly sentAtMicros: number;
  readonly endedAtMicros: number;
  readonly snapshot: Snapshot;
}

/** A write, answered or not. One with the outcome `unknown` may take effect at any time after it was sent. */
export interface Write {
  readonly kind: "write";
  readonly exchange: string;
  readonly session: string;
  readonly conversation: string;
  readonly write: "create" | "follow-up" | "cancel" | "delete";
  readonly sentAtMicros: number;
  /** Absent: no answer. */
  readonly endedAtMicros?: number;
  /** A refused write changes nothing. */
  readonly outcome: "accepted" | "refused" | "unknown";
  /** What the answer to an accepted write shows; it counts as a read. */
  readonly snapshot?: Snapshot;
  /** The question asked. */
  readonly text?: string;
}

/** What one answer shows of a question. */
export interface QuestionSnapshot {
  /** Absent if the interface has no ids. The question is then identified by its position. */
  readonly id?: string;
  readonly text?: string;
  /**
   * Status of this question. In the current interface, only present if questions show one in addition to the conversation.
   */
  readonly status?: string;
  /** RFC 3339. Other rules check the format. */
  readonly createdAt?: string;
  readonly updatedAt?: string;
  /** Names of the present members, as the gates of the machine call them. */
  readonly facts: ReadonlySet<string>;
  /** Everything that must not change once the question is finished, as one text. Only a digest is kept. */
  readonly content?: string;
  /** Kind and text of the content, for findings [unknown]. */
  readonly outcome?: ShownOutcome;
}

/** How a question ended. */
export interface ShownOutcome {
  readonly kind: "answer" | "error";
  /** Text of the answer or of the error. A finding quotes its beginning. */
  readonly text: string;
}

/** What one answer shows of a conversation. */
export interface Snapshot {
  /** Current interface only. */
  readonly state?: string;
  readonly createdAt?: string;
  readonly updatedAt?: string;
  /**
   * All questions in their order. Absent: nothing is known about them. An empty list means the same in the answer to a
   * write; in a read it means that there are none. A single question in the answer to a follow-up is the new question only.
   */
  readonly questions?: readonly QuestionSnapshot[];
}

/** An answered read. It shows the conversation at some instant between the sending and the end of the answer. */
export interface Read {
  readonly kind: "read";
  readonly exchange: string;
  /** All reads of a session are made by one poller. */
  readonly session: string;
  readonly conversation: string;
  readonly sentAtMicros: number;
  readonly endedAtMicros: number;
  readonly snapshot: Snapshot;
}

/** A write, answered or not. With the outcome `unknown` it may take effect at any time after it was sent. */
export interface Write {
  readonly kind: "write";
  readonly exchange: string;
  readonly session: string;
  readonly conversation: string;
  readonly write: "create" | "follow-up" | "cancel" | "delete";
  readonly sentAtMicros: number;
  /** Absent without an answer. */
  readonly endedAtMicros?: number;
  /** A refused write changes nothing. */
  readonly outcome: "accepted" | "refused" | "unknown";
  /** Contents of the answer to an accepted write. Counts as a read. */
  readonly snapshot?: Snapshot;
  /** The question asked. */
  readonly text?: string;
}

/** The state of a question in one response. */
export interface QuestionSnapshot {
  /** Absent if the interface has no ids. The question is then identified by its position. */
  readonly id?: string | undefined;
  readonly text?: string | undefined;
  /** Status of this question. In the current interface, only present if questions have a status in addition to that of the conversation. */
  readonly status?: string | undefined;
  /** RFC 3339. Other rules check the format. */
  readonly createdAt?: string | undefined;
  readonly updatedAt?: string | undefined;
  /** Names of the present members, as used by the gates of the machine. */
  readonly facts: ReadonlySet<string>;
  /** Everything that must not change once the question is finished, as one string. Only a digest is stored. */
  readonly content?: string | undefined;
  /** Kind and text of the content, for findings [unknown]. */
  readonly outcome?: ShownOutcome | undefined;
}

/** The outcome of a finished question. */
export interface ShownOutcome {
  readonly kind: "answer" | "error";
  /** Text of the answer or of the error. Findings quote its beginning. */
  readonly text: string;
}

/** The state of a conversation in one response. */
export interface Snapshot {
  /** Current interface only. */
  readonly state?: string | undefined;
  readonly createdAt?: string | undefined;
  readonly updatedAt?: string | undefined;
  /**
   * All questions in order. Absent if they are unknown. An empty list also means unknown in the response to a write. In a read it means
   * that there are no questions. A single question in the response to a follow-up is the new question only.
   */
  readonly questions?: readonly QuestionSnapshot[] | undefined;
}

/** A read with a response. It shows the conversation at some instant between the sending of the request and the end of the response. */
export interface Read {
  readonly kind: "read";
  readonly exchange: string;
  /** A session contains the reads of one poller. */
  readonly session: string;
  readonly conversation: string;
  readonly sentAtMicros: number;
  readonly endedAtMicros: number;
  readonly snapshot: Snapshot;
}

/** A write, with or without a response. With the outcome `unknown` it may take effect at any time after it was sent. */
export interface Write {
  readonly kind: "write";
  readonly exchange: string;
  readonly session: string;
  readonly conversation: string;
  readonly write: "create" | "follow-up" | "cancel" | "delete";
  readonly sentAtMicros: number;
  /** Absent if there was no response. */
  readonly endedAtMicros?: number;
  /** A refused write has no effect. */
  readonly outcome: "accepted" | "refused" | "unknown";
  /** The content of the response to an accepted write. It is treated as a read. */
  readonly snapshot?: Snapshot;
  /** The question asked. */
  readonly text?: string;
}

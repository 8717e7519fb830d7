/** A conversation as far as driving has to understand it. Everything in it comes from the target. */
export interface ConversationView {
  /** Legacy: the digits of the id. Current: the name. Absent where it is none that may be sent back. */
  readonly id?: string;
  /** Of its last question. `unclear` is anything that no document tells, a missing state included. */
  readonly state: "processing" | "finished" | "unclear";
  /** Whether its last question has an answer and ended in success. */
  readonly isAnswered?: true;
  /** The texts of its questions, in their order; those that cannot be read are empty. */
  readonly texts: readonly string[];
  /** Legacy: digits of the id of the last question. */
  readonly lastQuestion?: string;
  /** Legacy: digits of the id of its user. */
  readonly userId?: string;
  /** Legacy: the token that reads it. */
  readonly readToken?: string;
  /** When it was created, as the target says. */
  readonly createdAt?: string;
}

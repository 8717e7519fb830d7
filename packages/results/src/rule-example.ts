/** A response in an example. */
export interface ShownResponse {
  readonly status: number;
  /** Body as visible text: an excerpt around the first differing byte. Absent if both bodies are equal. */
  readonly bytes?: string;
  /** When and how the body arrived, if that is the difference. */
  readonly arrival?: string;
}

/** A response that passes a rule, and the same response altered so that the rule fails. */
export interface RuleExample {
  /**
   * Describes what is wrong with the altered response, in the past tense: "left `matchCount` out of a progress
   * event".
   */
  readonly what: string;
  /** Method and path of the request. */
  readonly request: string;
  readonly passes: ShownResponse;
  readonly fails: ShownResponse;
  /** Offset in the body of the first byte that differs. Absent if both bodies are equal. */
  readonly offset?: number;
  /** The finding of the rule on the altered response. */
  readonly finding?: string;
}

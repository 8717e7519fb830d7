/** The pairs that an ordinary run covers. */
export interface PlanCoverage {
  /** Number of different searches, without repetitions and without those that a suggested filter narrows. */
  readonly searchCount: number;
  /** Number of pairs of parts that a search may have, such as two parameters. */
  readonly partPairCount: number;
  /** Pairs of which no search has both parts. */
  readonly neverTogether: readonly string[];
  /** Pairs of which no search has the first part without the second one. */
  readonly neverWithout: readonly string[];
  /** Number of differences between two searches, each while both have another part. */
  readonly differenceCount: number;
  /** Those that no two searches have, such as one value of `v` and another one while `t` is set. */
  readonly neverVaried: readonly string[];
  /** Number of pairs of commands on one conversation, one after the other or at once. */
  readonly commandPairCount: number;
  /** Number of generated sequences that have all of them. */
  readonly sequencesForAllPairs: number;
}

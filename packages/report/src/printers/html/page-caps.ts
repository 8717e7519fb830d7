/**
 * Maximum lengths of lists on a page; the rest is counted. With the maximum lengths of texts they keep a page of 1,000 verdicts below 2 MB.
 */
export const pageCaps = {
  /** Characters of findings shown in full, over all rules of a run; rules beyond them are listed without their bytes. */
  findingCharacters: 500_000,
  /** Rules shown on one line after those in full. */
  listedRules: 500,
  /** Findings of one rule shown with bytes and command, and findings shown on one line after them. */
  fullFindings: 3,
  shortFindings: 7,
  requirements: 4,
  changedRules: 50,
  /** Any other list about a run. */
  items: 50,
  rulesOfGroup: 100,
  exchanges: 300,
  /** Open figures, and folded figures after them. */
  openStreams: 2,
  foldedStreams: 8,
  openConversations: 2,
  foldedConversations: 10,
} as const;

/** The share of a limit for each of several runs, at least 1, so that a page of many runs stays small. */
export const shareOf = (cap: number, runs: number): number => Math.max(1, Math.floor(cap / Math.max(1, runs)));

/** Pages with more runs leave out the coverage of requirements. */
export const maxRunsWithCoverage = 4;

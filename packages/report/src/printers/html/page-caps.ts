/**
 * How much of each list a page shows; the rest is counted. Together with the cut of each text they keep a page of 1,000
 * verdicts below 2 MB.
 */
export const pageCaps = {
  /** Characters of findings shown in full, over all rules of a run; rules beyond them are listed without their bytes. */
  findingCharacters: 500_000,
  /** Rules listed after those that are shown in full. */
  listedRules: 500,
  /** Findings of one rule shown with bytes and command, and those shown as one line after them. */
  fullFindings: 3,
  shortFindings: 7,
  requirements: 4,
  changedRules: 50,
  /** Any list of requirements about a run. */
  items: 50,
  rulesOfGroup: 100,
  exchanges: 300,
  /** Drawings that are open from the start, and those folded away after them. */
  openStreams: 2,
  foldedStreams: 8,
  openConversations: 2,
  foldedConversations: 10,
} as const;

/** What one of several runs may take of a cap, so that a page of many runs does not grow without end; at least one. */
export const shareOf = (cap: number, runs: number): number => Math.max(1, Math.floor(cap / Math.max(1, runs)));

/** Pages of more runs leave the requirements of the specifications out. */
export const runsWithCoverage = 4;

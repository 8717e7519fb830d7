/**
 * Maximum lengths of lists on a page. The page shows the number of omitted entries. Together with the maximum lengths of text they keep a page of
 * 1,000 verdicts below 2 MB.
 */
export const pageCaps = {
  /** Characters of findings shown in full, for all rules of a run together. Further rules are listed without bytes. */
  findingCharacters: 500_000,
  /** Rules shown on one line, after those shown in full. */
  listedRules: 500,
  /** Findings of one rule shown with bytes and command, and further findings shown on one line. */
  fullFindings: 3,
  shortFindings: 7,
  requirements: 4,
  changedRules: 50,
  /** Any other list about a run. */
  items: 50,
  rulesOfGroup: 100,
  exchanges: 300,
  /** Open figures, and further folded figures. */
  openStreams: 2,
  foldedStreams: 8,
  openConversations: 2,
  foldedConversations: 10,
} as const;

/** Divides a limit by the number of runs, to keep pages of many runs small. Returns at least 1. */
export const divideCap = (cap: number, runCount: number): number =>
  Math.max(1, Math.floor(cap / Math.max(1, runCount)));

/** Maximum number of runs on a page with the coverage of requirements. */
export const maxRunsWithCoverage = 4;

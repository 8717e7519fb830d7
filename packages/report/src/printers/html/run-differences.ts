import { failsRun, ruleStanding, type RuleStanding } from "@assay/results";
import { verdictWords } from "../../document/outcome-words.ts";
import { findingsOf } from "./finding-kinds.ts";
import type { PageRun, PlacedVerdict } from "./page-runs.ts";
import type { MatrixRow, RuleMatrix } from "./rule-matrix.ts";

/** Rules of several runs, by what they come to in them; each in the order of the specifications. */
export interface RunDifferences {
  /** Red in every run. */
  readonly alwaysRed: readonly MatrixRow[];
  /** Red in some runs, and not in others. */
  readonly red: readonly MatrixRow[];
  /** Red in none; they hold in some runs, and warn or are put up with in others. */
  readonly shifted: readonly MatrixRow[];
  /** Red in none, and judged in some runs alone. */
  readonly unseen: readonly MatrixRow[];
  /** How many rules come to the same in all runs, and are red in none. */
  readonly same: number;
}

const isRed = (placed: PlacedVerdict | undefined): boolean =>
  placed !== undefined && failsRun(placed.rule, placed.run.result.run.strict);

const isJudged = (placed: PlacedVerdict): boolean =>
  !["not-tested", "not-applicable", "blocked"].includes(ruleStanding(placed.rule));

const standingOf = (placed: PlacedVerdict | undefined): RuleStanding | undefined =>
  placed === undefined ? undefined : ruleStanding(placed.rule);

const kindOf = ({ cells }: MatrixRow): keyof RunDifferences => {
  const reds = cells.filter(isRed).length;
  if (reds > 0) {
    return reds === cells.length ? "alwaysRed" : "red";
  }
  if (new Set(cells.map(standingOf)).size < 2) {
    return "same";
  }
  const judged = cells.filter((placed) => placed !== undefined).filter(isJudged);
  return new Set(judged.map(standingOf)).size > 1 ? "shifted" : "unseen";
};

/** How the rules of several runs differ. */
export const runDifferences = (matrices: readonly RuleMatrix[]): RunDifferences => {
  const rows = matrices.flatMap(({ groups }) => groups.flatMap((group) => group.rows));
  const of = (kind: keyof RunDifferences) => rows.filter((row) => kindOf(row) === kind);
  return {
    alwaysRed: of("alwaysRed"),
    red: of("red"),
    shifted: of("shifted"),
    unseen: of("unseen"),
    same: of("same").length,
  };
};

/** One run of a row, and how the rule stands in it; undefined where it was not selected. */
interface Stand {
  readonly run: PageRun;
  readonly placed: PlacedVerdict | undefined;
}

const wordOf = ({ placed }: Stand): string =>
  placed === undefined ? "not selected" : verdictWords[ruleStanding(placed.rule)].word;

/** Runs of one target follow one another in time; runs of several targets stand beside each other. */
const isOneTarget = (runs: readonly PageRun[]): boolean => {
  const hosts = runs.map(({ result: { run } }) =>
    URL.canParse(run.target) ? new URL(run.target).hostname : run.target,
  );
  return new Set(hosts).size === 1;
};

const startedAt = ({ run }: Stand): string => run.result.run.startedAt;

const shownNames = 4;

const namesOf = (stands: readonly Stand[]): string => {
  const names = stands.slice(0, shownNames).map(({ run }) => run.name);
  const more = stands.length - names.length;
  return `${names.join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
};

const severity: readonly (RuleStanding | undefined)[] = [
  "failed",
  "fixed",
  "warned",
  "known-failure",
  "blocked",
  "not-tested",
  undefined,
  "not-applicable",
  "passed",
];

/** What is told of a rule that several runs do not agree on. */
export interface RowStory {
  /** Such as `failed since after` or `failed in a, b`; not escaped. */
  readonly when: string;
  /** What was seen of it first; absent where nothing was. Not escaped. */
  readonly what?: string;
}

const whatOf = (placed: PlacedVerdict | undefined): string | undefined => {
  if (placed === undefined) {
    return undefined;
  }
  const { verdict } = placed.rule;
  return findingsOf(placed)[0]?.message ?? (verdict.outcome === "blocked" ? verdict.missing : undefined);
};

const toldBy = (stands: readonly Stand[], when: string): RowStory => {
  const what = whatOf(stands[0]?.placed);
  return { when, ...(what === undefined ? {} : { what }) };
};

/**
 * How a rule stands in the runs it differs in, and what was seen. Of runs of one target it is since when, where it changed once
 * in the order of time; otherwise in which runs it stands worst.
 */
export const rowStory = ({ cells }: MatrixRow, runs: readonly PageRun[]): RowStory => {
  const stands = runs.map((run, at): Stand => ({ run, placed: cells[at] }));
  const inTime = stands.toSorted((one, other) => (startedAt(one) < startedAt(other) ? -1 : 1));
  const changes = inTime.filter(
    (stand, at) => at > 0 && standingOf(stand.placed) !== standingOf(inTime[at - 1]?.placed),
  );
  const [change, ...others] = changes;
  if (change !== undefined && others.length === 0 && isOneTarget(runs)) {
    return toldBy([change], `${wordOf(change)} since ${change.run.name}`);
  }
  const worst = severity.find((standing) => stands.some(({ placed }) => standingOf(placed) === standing));
  const those = stands.filter(({ placed }) => standingOf(placed) === worst);
  const [first] = those;
  return first === undefined
    ? { when: "" }
    : toldBy(those, `${wordOf(first)} in ${those.length === runs.length ? "all" : namesOf(those)}`);
};

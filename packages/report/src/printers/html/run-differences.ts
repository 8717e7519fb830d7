import { listNames } from "@assay/contract";
import { failsRun, isJudged, ruleStanding, type RuleStanding } from "@assay/results";
import { standingWord } from "../../document/change-lists.ts";
import { findingsOf } from "./finding-kinds.ts";
import type { PageRun, PlacedVerdict } from "./page-runs.ts";
import type { MatrixRow, RuleMatrix } from "./rule-matrix.ts";

/** Rules of several runs, grouped by the difference of their verdicts. Each list is in the order of the specifications. */
export interface RunDifferences {
  /** Failed in every run. */
  readonly failedInAll: readonly MatrixRow[];
  /** Failed in some runs, but not in all. */
  readonly failedInSome: readonly MatrixRow[];
  /** Failed in none, but judged differently: passed, warned, or a known failure. */
  readonly judgedDifferently: readonly MatrixRow[];
  /** Failed in none, and not judged in every run. */
  readonly notJudgedInAll: readonly MatrixRow[];
  /** Number of rules that have the same verdict in all runs and did not fail. */
  readonly same: number;
}

const isFailing = (placed: PlacedVerdict | undefined): boolean =>
  placed !== undefined && failsRun(placed.rule, placed.run.result.run.strict);

const standingOf = (placed: PlacedVerdict | undefined): RuleStanding | undefined =>
  placed === undefined ? undefined : ruleStanding(placed.rule);

const kindOf = ({ cells }: MatrixRow): keyof RunDifferences => {
  const failing = cells.filter(isFailing).length;
  if (failing > 0) {
    return failing === cells.length ? "failedInAll" : "failedInSome";
  }
  if (new Set(cells.map(standingOf)).size < 2) {
    return "same";
  }
  const judged = cells.filter((placed) => placed !== undefined && isJudged(placed.rule));
  return new Set(judged.map(standingOf)).size > 1 ? "judgedDifferently" : "notJudgedInAll";
};

/** Groups rules by the difference of their verdicts in several runs. */
export const runDifferences = (matrices: readonly RuleMatrix[]): RunDifferences => {
  const rows = matrices.flatMap(({ groups }) => groups.flatMap((group) => group.rows));
  const of = (kind: keyof RunDifferences) => rows.filter((row) => kindOf(row) === kind);
  return {
    failedInAll: of("failedInAll"),
    failedInSome: of("failedInSome"),
    judgedDifferently: of("judgedDifferently"),
    notJudgedInAll: of("notJudgedInAll"),
    same: of("same").length,
  };
};

/** The verdict on a rule in one run, or undefined if the run did not select it. */
interface RunVerdict {
  readonly run: PageRun;
  readonly placed: PlacedVerdict | undefined;
}

const wordOf = ({ placed }: RunVerdict): string => standingWord(standingOf(placed));

/** Reports whether all runs have the same target. Such runs are compared over time, and others with each other. */
const isOneTarget = (runs: readonly PageRun[]): boolean => {
  const hosts = runs.map(({ result: { run } }) =>
    URL.canParse(run.target) ? new URL(run.target).hostname : run.target,
  );
  return new Set(hosts).size === 1;
};

const startedAt = ({ run }: RunVerdict): string => run.result.run.startedAt;

const maxNames = 4;

const runNames = (verdicts: readonly RunVerdict[]): string =>
  listNames(
    verdicts.map(({ run }) => run.name),
    maxNames,
  );

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

/** Describes the difference of verdicts on a rule between runs. */
export interface RowSummary {
  /** A clause such as `failed since after` or `failed in a, b`. Not escaped. */
  readonly verdict: string;
  /** The first finding, or what blocked the rule. Not escaped. */
  readonly message?: string;
}

const messageOf = (placed: PlacedVerdict | undefined): string | undefined => {
  if (placed === undefined) {
    return undefined;
  }
  const { verdict } = placed.rule;
  return findingsOf(placed)[0]?.message ?? (verdict.outcome === "blocked" ? verdict.missing : undefined);
};

const summaryOf = (verdicts: readonly RunVerdict[], verdict: string): RowSummary => {
  const message = messageOf(verdicts[0]?.placed);
  return { verdict, ...(message === undefined ? {} : { message }) };
};

/**
 * Describes the verdicts on a rule as a clause. For runs of one target whose verdict changed once, it names the first run after the change.
 * Otherwise it lists the runs with the most severe verdict.
 */
export const rowSummary = ({ cells }: MatrixRow, runs: readonly PageRun[]): RowSummary => {
  const verdicts = runs.map((run, at): RunVerdict => ({ run, placed: cells[at] }));
  const inTime = verdicts.toSorted((one, other) => (startedAt(one) < startedAt(other) ? -1 : 1));
  const changes = inTime.filter(
    (verdict, at) => at > 0 && standingOf(verdict.placed) !== standingOf(inTime[at - 1]?.placed),
  );
  const [change, ...others] = changes;
  if (change !== undefined && others.length === 0 && isOneTarget(runs)) {
    return summaryOf([change], `${wordOf(change)} since ${change.run.name}`);
  }
  const worst = severity.find((standing) => verdicts.some(({ placed }) => standingOf(placed) === standing));
  const those = verdicts.filter(({ placed }) => standingOf(placed) === worst);
  const [first] = those;
  return first === undefined
    ? { verdict: "" }
    : summaryOf(those, `${wordOf(first)} in ${those.length === runs.length ? "all" : runNames(those)}`);
};

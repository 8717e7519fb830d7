import { listNames } from "@assay/contract";
import { failsRun, isJudged, ruleStanding, type RuleStanding } from "@assay/results";
import { getStandingWord } from "../../document/change-lists.ts";
import { listVerdictFindings } from "./finding-kinds.ts";
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
  readonly sameCount: number;
}

const isFailing = (placed: PlacedVerdict | undefined): boolean =>
  placed !== undefined && failsRun(placed.rule, placed.run.result.run.strict);

const getPlacedStanding = (placed: PlacedVerdict | undefined): RuleStanding | undefined =>
  placed === undefined ? undefined : ruleStanding(placed.rule);

const classifyDifference = ({ cells }: MatrixRow): keyof RunDifferences => {
  const failing = cells.filter(isFailing).length;
  if (failing > 0) {
    return failing === cells.length ? "failedInAll" : "failedInSome";
  }
  if (new Set(cells.map(getPlacedStanding)).size < 2) {
    return "sameCount";
  }
  const judged = cells.filter((placed) => placed !== undefined && isJudged(placed.rule));
  return new Set(judged.map(getPlacedStanding)).size > 1 ? "judgedDifferently" : "notJudgedInAll";
};

/** Groups rules by the difference of their verdicts in several runs. */
export const findRunDifferences = (matrices: readonly RuleMatrix[]): RunDifferences => {
  const rows = matrices.flatMap(({ groups }) => groups.flatMap((group) => group.rows));
  const rowsOfKind = (kind: keyof RunDifferences) => rows.filter((row) => classifyDifference(row) === kind);
  return {
    failedInAll: rowsOfKind("failedInAll"),
    failedInSome: rowsOfKind("failedInSome"),
    judgedDifferently: rowsOfKind("judgedDifferently"),
    notJudgedInAll: rowsOfKind("notJudgedInAll"),
    sameCount: rowsOfKind("sameCount").length,
  };
};

/** The verdict on a rule in one run, or undefined if the run did not select it. */
interface RunVerdict {
  readonly run: PageRun;
  readonly placed: PlacedVerdict | undefined;
}

const getVerdictWord = ({ placed }: RunVerdict): string => getStandingWord(getPlacedStanding(placed));

/** Reports whether all runs have the same target. Such runs are compared over time, and others with each other. */
const haveSameTarget = (runs: readonly PageRun[]): boolean => {
  const hosts = runs.map(({ result: { run } }) =>
    URL.canParse(run.target) ? new URL(run.target).hostname : run.target,
  );
  return new Set(hosts).size === 1;
};

const getStart = ({ run }: RunVerdict): string => run.result.run.startedAt;

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
  /** A clause such as `failed since staging-2` or `failed in staging-1, staging-3`. Not escaped. */
  readonly verdict: string;
  /** The first finding, or what blocked the rule. Not escaped. */
  readonly message?: string;
}

const findVerdictMessage = (placed: PlacedVerdict | undefined): string | undefined => {
  if (placed === undefined) {
    return undefined;
  }
  const { verdict } = placed.rule;
  return listVerdictFindings(placed)[0]?.message ?? (verdict.outcome === "blocked" ? verdict.missing : undefined);
};

const createSummary = (verdicts: readonly RunVerdict[], verdict: string): RowSummary => {
  const message = findVerdictMessage(verdicts[0]?.placed);
  return { verdict, ...(message === undefined ? {} : { message }) };
};

/**
 * Describes the verdicts on a rule as a clause. For runs of one target whose verdict changed once, it names the first run after the change.
 * Otherwise it lists the runs with the most severe verdict.
 */
export const describeRow = ({ cells }: MatrixRow, runs: readonly PageRun[]): RowSummary => {
  const verdicts = runs.map((run, index): RunVerdict => ({ run, placed: cells[index] }));
  const verdictsByStart = verdicts.toSorted((a, b) => (getStart(a) < getStart(b) ? -1 : 1));
  const changes = verdictsByStart.filter(
    (verdict, index) =>
      index > 0 && getPlacedStanding(verdict.placed) !== getPlacedStanding(verdictsByStart[index - 1]?.placed),
  );
  const [change, ...otherChanges] = changes;
  if (change !== undefined && otherChanges.length === 0 && haveSameTarget(runs)) {
    return createSummary([change], `${getVerdictWord(change)} since ${change.run.name}`);
  }
  const worstStanding = severity.find((standing) =>
    verdicts.some(({ placed }) => getPlacedStanding(placed) === standing),
  );
  const worstVerdicts = verdicts.filter(({ placed }) => getPlacedStanding(placed) === worstStanding);
  const [first] = worstVerdicts;
  return first === undefined
    ? { verdict: "" }
    : createSummary(
        worstVerdicts,
        `${getVerdictWord(first)} in ${worstVerdicts.length === runs.length ? "all" : runNames(worstVerdicts)}`,
      );
};

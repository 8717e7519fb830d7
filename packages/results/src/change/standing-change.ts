import { defined, ruleIds } from "@assay/contract";
import { failsRun, type RuleStanding, ruleStanding } from "../rule-standing.ts";
import type { ChangedVerdict } from "../run-change.ts";
import type { RunResult } from "../run-result.ts";
import type { RuleVerdict } from "../verdict.ts";

/** What became of a rule between two runs; `same` where nothing of it is worth a line. */
export type ChangeKind =
  | "broken"
  | "mended"
  | "stillBroken"
  | "excused"
  | "shifted"
  | "noLongerSeen"
  | "newlySeen"
  | "same"
  | "never-seen";

/** A rule on one operation in both runs; a side is absent where the run did not select it. */
export interface RulePair {
  readonly before?: RuleVerdict;
  readonly after?: RuleVerdict;
}

const keyOf = ({ rule, interface: name, operation }: RuleVerdict): string => JSON.stringify([rule, name, operation]);

/** The first verdict of each rule on each operation: a run has one, a file that somebody edited may have more. */
const byKey = ({ verdicts }: RunResult): ReadonlyMap<string, RuleVerdict> =>
  new Map(verdicts.toReversed().map((verdict) => [keyOf(verdict), verdict]));

const ranks: ReadonlyMap<string, number> = new Map(ruleIds.map((id, index) => [id, index]));
const rankOf = ({ before, after }: RulePair): number =>
  ranks.get(after?.rule ?? before?.rule ?? "") ?? Number.MAX_SAFE_INTEGER;

/** Every rule of either run, in the order of the catalogue; rules that it does not know come last, in the order of the runs. */
export const rulePairs = (base: RunResult, head: RunResult): readonly RulePair[] => {
  const [older, newer] = [byKey(base), byKey(head)];
  const keys = new Set([...head.verdicts, ...base.verdicts].map(keyOf));
  return [...keys]
    .map((key): RulePair => {
      const [before, after] = [older.get(key), newer.get(key)];
      return { ...defined({ before, after }) };
    })
    .sort((one, other) => rankOf(one) - rankOf(other));
};

const judged: ReadonlySet<RuleStanding> = new Set([
  "passed",
  "failed",
  "warned",
  "known-failure",
  "unexpectedly-fixed",
]);
const isJudged = (verdict: RuleVerdict | undefined): verdict is RuleVerdict =>
  verdict !== undefined && judged.has(ruleStanding(verdict));

/** Whether each of the two runs took warnings for failures. */
export interface Strictness {
  readonly base: boolean;
  readonly head: boolean;
}

/** Whether a rule that is red in neither run holds in one of them alone. */
const hasShifted = (before: RuleVerdict, after: RuleVerdict): boolean =>
  (ruleStanding(before) === "passed") !== (ruleStanding(after) === "passed");

const kindOfJudged = ({ before, after }: Required<RulePair>, strict: Strictness): ChangeKind => {
  const wasRed = failsRun(before, strict.base);
  if (failsRun(after, strict.head)) {
    return wasRed ? "stillBroken" : "broken";
  }
  if (!wasRed) {
    return hasShifted(before, after) ? "shifted" : "same";
  }
  return after.verdict.outcome === "passed" ? "mended" : "excused";
};

/** Whether both runs judged the rule. */
export const isJudgedTwice = ({ before, after }: RulePair): boolean => isJudged(before) && isJudged(after);

/** What became of a rule; each rule has one kind. Red now and not judged before counts as broken. */
export const changeKind = ({ before, after }: RulePair, strict: Strictness): ChangeKind => {
  if (isJudged(after)) {
    if (isJudged(before)) {
      return kindOfJudged({ before, after }, strict);
    }
    return failsRun(after, strict.head) ? "broken" : "newlySeen";
  }
  return isJudged(before) ? "noLongerSeen" : "never-seen";
};

/** The pair as it is reported; undefined for a pair of nothing. */
export const changedVerdict = ({ before, after }: RulePair): ChangedVerdict | undefined => {
  const either = after ?? before;
  return either === undefined
    ? undefined
    : {
        rule: either.rule,
        interface: either.interface,
        operation: either.operation,
        title: either.title,
        ...(before === undefined ? {} : { before: ruleStanding(before) }),
        ...(after === undefined ? {} : { after: ruleStanding(after) }),
      };
};

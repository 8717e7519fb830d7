import { grammarViolations, isRuleId, ruleRecord, type LoadSide, listSides } from "@assay/contract";
import type { KnownFailureFile } from "@assay/evidence";
import type { KnownFailure, RuleVerdict } from "@assay/results";
import { type AppliedKnownFailures, applyKnownFailureLists } from "./apply-known-failures.ts";
import { knownFailureList } from "./known-failure-list.ts";

/** Known failures of the targets of a load. */
export interface KnownLoadFailures {
  readonly files: readonly KnownFailureFile[];
  /** Start of the run, ISO 8601 in UTC. */
  readonly startedAt: string;
  /** Base URLs by side. */
  readonly targets: Readonly<Partial<Record<LoadSide, string>>>;
}

const emptyResult: AppliedKnownFailures = { verdicts: [], mistakes: [], notes: [] };

/** Applies known failures to the verdicts on one target of a load. */
export function applyKnownLoadFailures(
  verdicts: readonly RuleVerdict[],
  knownFailures: KnownLoadFailures | undefined,
  side: LoadSide,
): AppliedKnownFailures {
  if (knownFailures === undefined) {
    return { ...emptyResult, verdicts };
  }
  const { files, startedAt, targets } = knownFailures;
  const lists = files.map((file) => knownFailureList(file));
  return applyKnownFailureLists(verdicts, lists, { target: targets[side] ?? "", startedAt });
}

/** Returns one sentence for each mistake in the lists that does not depend on the load. */
export const findMistakesInLoad = (knownFailures: KnownLoadFailures): readonly string[] => [
  ...new Set(
    listSides(knownFailures.targets).flatMap((side) => applyKnownLoadFailures([], knownFailures, side).mistakes),
  ),
];

/** Returns the verdict on a stream with one violation of the event format. */
function createFailedVerdicts(code: string, message: string, rule: string): readonly RuleVerdict[] {
  if (!isRuleId(rule)) {
    return [];
  }
  const { id, interface: name, operation, title, basis } = ruleRecord(rule);
  const verdict = { outcome: "failed", findings: [{ kind: "violation", code, message }], moreFindings: 0 } as const;
  return [{ rule: id, interface: name, operation, title, basis, requirements: [], mustTest: false, verdict }];
}

/** Returns the codes of event-format violations that are known on every target of a load, with their entries. */
export const findKnownCodes = (knownFailures: KnownLoadFailures): Readonly<Record<string, KnownFailure>> =>
  Object.fromEntries(
    Object.entries(grammarViolations).flatMap(([code, { title, rule }]) => {
      const entries = listSides(knownFailures.targets).map(
        (side) =>
          applyKnownLoadFailures(createFailedVerdicts(code, title, rule), knownFailures, side).verdicts[0]?.known,
      );
      const [first] = entries;
      return first === undefined || entries.includes(undefined) ? [] : [[code, first] as const];
    }),
  );

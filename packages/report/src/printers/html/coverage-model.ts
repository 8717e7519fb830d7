import { groupedBy } from "@assay/results";
import { allRequirements, type Requirement } from "@assay/contract";
import { ruleStanding } from "@assay/results";
import type { PageRun, PlacedVerdict } from "./page-runs.ts";
import { topSection } from "../../document/section-names.ts";

/** How a sentence stands in a run: the most severe of its rules, or why no rule judges it. */
export type RequirementStanding = "broken" | "held" | "unjudged" | "open" | "not-observable";

/** A sentence with the verdicts of its rules in one run. */
export interface JudgedRequirement {
  readonly sentence: Requirement;
  readonly standing: RequirementStanding;
  readonly verdicts: readonly PlacedVerdict[];
  /** Rules of the sentence that the run did not select. */
  readonly unselected: readonly string[];
}

/** The requirements of one section of a specification. */
export interface CoveredSection {
  readonly specification: string;
  readonly section: string;
  readonly requirements: readonly JudgedRequirement[];
}

const isBroken = ({ rule }: PlacedVerdict): boolean =>
  rule.verdict.outcome === "failed" || rule.verdict.outcome === "warned";
const isHeld = ({ rule }: PlacedVerdict): boolean => ruleStanding(rule) === "passed" || ruleStanding(rule) === "fixed";

const standingOf = ({ coverage }: Requirement, verdicts: readonly PlacedVerdict[]): RequirementStanding => {
  if (coverage.kind === "unspecified") {
    return "open";
  }
  if (coverage.kind === "not-observable") {
    return "not-observable";
  }
  if (verdicts.some(isBroken)) {
    return "broken";
  }
  return verdicts.some(isHeld) ? "held" : "unjudged";
};

const judgedSentence = (
  sentence: Requirement,
  byRule: ReadonlyMap<string, readonly PlacedVerdict[]>,
): JudgedRequirement => {
  const rules: readonly string[] = sentence.coverage.kind === "rules" ? sentence.coverage.rules : [];
  const verdicts = rules.flatMap((rule) => byRule.get(rule) ?? []);
  return {
    sentence,
    standing: standingOf(sentence, verdicts),
    verdicts,
    unselected: rules.filter((rule) => !byRule.has(rule)),
  };
};

/** Every sentence of both specifications with what a run has shown of it, by section in the order of the specifications. */
export const coveredSections = (run: PageRun): readonly CoveredSection[] => {
  const placed = run.result.verdicts.map((rule, index) => ({ run, index, rule }));
  const byRule = new Map(groupedBy(placed, ({ rule }) => rule.rule).map((one) => [one[0]?.rule.rule ?? "", one]));
  const judged = allRequirements.map((sentence) => judgedSentence(sentence, byRule));
  return groupedBy(judged, ({ sentence }) =>
    JSON.stringify([sentence.specification, topSection(sentence.section)]),
  ).map((requirements) => ({
    specification: requirements[0]?.sentence.specification ?? "",
    section: topSection(requirements[0]?.sentence.section ?? ""),
    requirements,
  }));
};

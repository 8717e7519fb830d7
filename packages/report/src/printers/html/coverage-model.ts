import { groupBy } from "@assay/results";
import { allRequirements, type Requirement } from "@assay/contract";
import { ruleStanding } from "@assay/results";
import type { PageRun, PlacedVerdict } from "./page-runs.ts";
import { getTopSection } from "../../document/section-names.ts";

/** The standing of a requirement in a run: the most severe one of its rules, or the reason no rule tests it. */
export type RequirementStanding = "failed" | "passed" | "unjudged" | "unspecified" | "not-observable";

/** A requirement with the verdicts on its rules in one run. */
export interface JudgedRequirement {
  readonly requirement: Requirement;
  readonly standing: RequirementStanding;
  readonly verdicts: readonly PlacedVerdict[];
  /** Rules of the requirement that the run did not select. */
  readonly unselected: readonly string[];
}

/** The requirements of one section of a specification. */
export interface CoveredSection {
  readonly specification: string;
  readonly section: string;
  readonly requirements: readonly JudgedRequirement[];
}

const isFailed = ({ rule }: PlacedVerdict): boolean =>
  rule.verdict.outcome === "failed" || rule.verdict.outcome === "warned";
const isPassed = ({ rule }: PlacedVerdict): boolean =>
  ruleStanding(rule) === "passed" || ruleStanding(rule) === "fixed";

const getRequirementStanding = ({ coverage }: Requirement, verdicts: readonly PlacedVerdict[]): RequirementStanding => {
  if (coverage.kind === "unspecified") {
    return "unspecified";
  }
  if (coverage.kind === "not-observable") {
    return "not-observable";
  }
  if (verdicts.some(isFailed)) {
    return "failed";
  }
  return verdicts.some(isPassed) ? "passed" : "unjudged";
};

const judgeRequirement = (
  requirement: Requirement,
  verdictsByRule: ReadonlyMap<string, readonly PlacedVerdict[]>,
): JudgedRequirement => {
  const rules: readonly string[] = requirement.coverage.kind === "rules" ? requirement.coverage.rules : [];
  const verdicts = rules.flatMap((rule) => verdictsByRule.get(rule) ?? []);
  return {
    requirement,
    standing: getRequirementStanding(requirement, verdicts),
    verdicts,
    unselected: rules.filter((rule) => !verdictsByRule.has(rule)),
  };
};

/** Returns all requirements of both specifications with their standing in a run, by section in the order of the specifications. */
export const listCoveredSections = (run: PageRun): readonly CoveredSection[] => {
  const placedVerdicts = run.result.verdicts.map((rule, index) => ({ run, index, rule }));
  const verdictsByRule = new Map(
    groupBy(placedVerdicts, ({ rule }) => rule.rule).map((verdicts) => [verdicts[0]?.rule.rule ?? "", verdicts]),
  );
  const judgedRequirements = allRequirements.map((requirement) => judgeRequirement(requirement, verdictsByRule));
  return groupBy(judgedRequirements, ({ requirement }) =>
    JSON.stringify([requirement.specification, getTopSection(requirement.section)]),
  ).map((requirements) => ({
    specification: requirements[0]?.requirement.specification ?? "",
    section: getTopSection(requirements[0]?.requirement.section ?? ""),
    requirements,
  }));
};

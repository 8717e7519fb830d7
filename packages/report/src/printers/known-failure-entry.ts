import type { ReportedFinding, RuleVerdict } from "@assay/results";
import { shownText } from "../document/shown-text.ts";

/** In a list of known failures a space, a comma, a bracket and `%` of an argument are percent-encoded. */
const encodedArgument = (argument: string): string =>
  shownText(argument, "name").replaceAll(
    /[\s,()%]/gu,
    (character) => `%${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(2, "0")}`,
  );

const codeText = ({ code, argument }: ReportedFinding): string => {
  if (code === undefined) {
    return "";
  }
  return `:${shownText(code, "name")}${argument === undefined ? "" : `(${encodedArgument(argument)})`}`;
};

/** The line of a list of known failures that accepts what these findings of a rule have in common: their code, else the whole rule. */
export const entryLine = (
  rule: Pick<RuleVerdict, "rule">,
  findings: readonly ReportedFinding[],
  target: string,
): string => {
  const [code = "", ...others] = new Set(findings.map(codeText));
  const finding = others.length > 0 ? "" : code;
  return `${shownText(rule.rule, "name")}${finding}   ${shownText(target, "url").replaceAll(/\s/gu, "%20")}`;
};

/** The line that accepts everything a run found of a rule. */
export const shownEntry = (rule: RuleVerdict, target: string): string => {
  const { verdict } = rule;
  return entryLine(rule, verdict.outcome === "failed" || verdict.outcome === "warned" ? verdict.findings : [], target);
};

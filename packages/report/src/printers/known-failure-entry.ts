import type { RuleVerdict } from "@assay/results";
import { shownText } from "../document/shown-text.ts";

const codesOf = ({ verdict }: RuleVerdict): ReadonlySet<string> =>
  new Set(
    verdict.outcome === "failed" || verdict.outcome === "warned"
      ? verdict.findings.map(({ code = "", argument }) => (argument === undefined ? code : ""))
      : [],
  );

/**
 * The line of a list of known failures that names a rule on a target. It names the code of the finding where all findings have the
 * same one without an argument; an argument has a spelling of its own in a list, so the whole rule is named then.
 */
export const shownEntry = (rule: RuleVerdict, target: string): string => {
  const [code = "", ...others] = codesOf(rule);
  const finding = code === "" || others.length > 0 ? "" : `:${shownText(code, "name")}`;
  return `${shownText(rule.rule, "name")}${finding}   ${target}`;
};

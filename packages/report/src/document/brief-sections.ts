import {
  type ExchangeSummary,
  failsRun,
  isJudged,
  type ReportedFinding,
  ruleStanding,
  type RuleVerdict,
  type RunResult,
} from "@assay/results";
import { counted } from "./counted.ts";
import { type Block, type Entry, list, type Section, paragraph } from "./document.ts";
import { listUnspecifiedChoices, listNotedChoices } from "./target-choices.ts";
import { standardClientWords, verdictWords } from "./outcome-words.ts";
import { groupByInterface, formatCounts, getMostSevereSign } from "./rule-groups.ts";
import { listFailedRules, formatFindingLocation } from "./run-sections.ts";
import { groupUnjudged } from "./unjudged-groups.ts";

const interfaceNames: ReadonlyMap<string, string> = new Map([
  ["stream", "streaming search"],
  ["legacy", "conversations, legacy"],
  ["current", "conversations, current"],
  ["migration", "migration"],
]);

/** Returns one line for each interface with the counts of its verdicts. */
export const createInterfaceBlocks = ({ verdicts, run }: Pick<RunResult, "verdicts" | "run">): readonly Block[] => {
  const entries = groupByInterface(verdicts).map((rules): Entry => {
    const name = rules[0]?.interface ?? "";
    return {
      sign: getMostSevereSign(rules, run.strict),
      label: interfaceNames.get(name) ?? name,
      line: formatCounts(rules),
    };
  });
  return entries.length === 0 ? [] : [{ kind: "list", entries, isAligned: true }];
};

/** Lists rules that the profile requires but that were not tested, with what they need. */
export const createRequiredSection = (verdicts: readonly RuleVerdict[]): Section => {
  const groups = groupUnjudged(verdicts.filter(({ mustTest }) => mustTest));
  return {
    sign: verdictWords["not-tested"].sign,
    title: "Required by the profile, but not tested",
    blocks: list(
      groups.map(({ word, reason, rules }): Entry => ({
        line: reason ?? word,
        children: [
          paragraph(
            rules.flatMap((name, index) => [...(index === 0 ? [] : [", "]), { name }]),
            { isFaint: true },
          ),
        ],
      })),
    ),
  };
};

type VerdictWithFindings = Extract<RuleVerdict["verdict"], { readonly outcome: "failed" | "warned" }>;

/** Counts the streams with a finding. Returns undefined if a finding is not in a stream, or if the number is unknown. */
const countAffectedStreams = (verdict: VerdictWithFindings, streams: ReadonlySet<string>): number | undefined => {
  const { findings, moreFindings } = verdict;
  const ids = new Set(findings.map(({ exchange = "" }) => exchange));
  const count = moreFindings > 0 ? verdict.affectedExchanges : ids.size;
  return count !== undefined && count <= streams.size && [...ids].every((id) => streams.has(id)) ? count : undefined;
};

/** Describes the extent of a failure or warning, such as `3 of 88 streams`, or the number of findings if the streams are unknown. */
export const describeExtent = (rule: RuleVerdict, exchanges: readonly ExchangeSummary[]): string => {
  const { verdict } = rule;
  if (verdict.outcome !== "failed" && verdict.outcome !== "warned") {
    return "";
  }
  const findings = counted(verdict.findings.length + verdict.moreFindings, "finding");
  const streams = new Set(
    exchanges.filter(({ interface: name, events }) => name === "stream" && events > 0).map(({ id }) => id),
  );
  if (rule.interface !== "stream" || streams.size === 0) {
    return findings;
  }
  const affected = countAffectedStreams(verdict, streams);
  return affected === undefined
    ? `${findings} in ${counted(streams.size, "stream")}`
    : `${affected} of ${counted(streams.size, "stream")}`;
};

const formatRuleTitle = (rule: RuleVerdict, exchanges: readonly ExchangeSummary[]): Pick<Section, "sign" | "title"> => {
  const { sign, word } = verdictWords[ruleStanding(rule)];
  return { sign, title: [`${word}  `, { name: rule.rule }, `   ${describeExtent(rule, exchanges)}`] };
};

const createExampleBlocks = (finding: ReportedFinding): readonly Block[] => {
  const location = formatFindingLocation(finding);
  const { message, excerpt, standardClient, curl } = finding;
  return [
    paragraph(message),
    ...(location === "" ? [] : [paragraph([{ name: location }], { isFaint: true })]),
    ...(excerpt === undefined ? [] : [{ kind: "excerpt", excerpt } as const]),
    ...(standardClient === undefined ? [] : [paragraph(standardClientWords[standardClient])]),
    ...(curl === undefined ? [] : [{ kind: "command", command: curl } as const]),
  ];
};

/** Describes a failed rule: its extent, its requirement, and one example with its bytes and the command that repeats the request. */
const createFailedSection = (rule: RuleVerdict, { exchanges }: RunResult): readonly Section[] => {
  const { requirements, verdict, title } = rule;
  if (verdict.outcome !== "failed" && verdict.outcome !== "warned") {
    return [];
  }
  const blocks = [
    paragraph(title),
    ...requirements
      .slice(0, 1)
      .map(({ specification, section, text: requirementText }) =>
        paragraph([{ name: specification }, ", section ", { name: section }, ": ", requirementText], { isFaint: true }),
      ),
    ...createExampleBlocks(verdict.findings[0]),
  ];
  return [{ ...formatRuleTitle(rule, exchanges), blocks }];
};

/** Describes a rule that warned in three lines: its extent, its title and the first finding. */
const createWarnedSection = (rule: RuleVerdict, { exchanges }: RunResult): readonly Section[] => {
  const { verdict, title } = rule;
  if (verdict.outcome !== "failed" && verdict.outcome !== "warned") {
    return [];
  }
  const [firstFinding] = verdict.findings;
  const location = formatFindingLocation(firstFinding);
  const blocks = [
    paragraph(title),
    paragraph([firstFinding.message, ...(location === "" ? [] : [" (", { name: location }, ")"])]),
  ];
  return [{ ...formatRuleTitle(rule, exchanges), blocks }];
};

/** Describes rules that warned without failing the run. Excludes known failures. */
export const createWarnedSections = (result: RunResult): readonly Section[] =>
  result.verdicts
    .filter((rule) => ruleStanding(rule) === "warned" && !failsRun(rule, result.run.strict))
    .flatMap((rule) => createWarnedSection(rule, result));

/** Describes rules that fail the run, with one example each. */
export const createFailedSections = (result: RunResult): readonly Section[] =>
  listFailedRules(result).flatMap((rule) => createFailedSection(rule, result));

/** Lists the reasons a run is incomplete, except for those in its summary or in `createRequiredSection`. */
export const createOtherReasonsSection = ({
  incomplete,
  summary,
}: Pick<RunResult, "incomplete" | "summary">): Section => ({
  sign: verdictWords["blocked"].sign,
  title: "Incomplete",
  blocks: list(
    incomplete
      .filter(({ code, message }) => code !== "must-test" && !summary.includes(message))
      .map(({ message }) => ({ line: message })),
  ),
});

/** Lists the information that `--verbose` adds, such as `why 6 rules have no verdict`. Empty if it adds only tables. */
export const listVerboseAdditions = (result: RunResult): readonly string[] => {
  const untestedCount = result.verdicts.filter((rule) => !isJudged(rule) && !rule.mustTest).length;
  const [choiceCount, valueCount] = [listUnspecifiedChoices(result).length, listNotedChoices(result).length];
  const { knownFailureNotes = [] } = result;
  return [
    ...(untestedCount === 0
      ? []
      : [`why ${untestedCount === 1 ? "1 rule has" : `${untestedCount} rules have`} no verdict`]),
    ...(choiceCount === 0 ? [] : [counted(choiceCount, "unspecified behaviour")]),
    ...(valueCount === 0 ? [] : [counted(valueCount, "undocumented value")]),
    ...(knownFailureNotes.length === 0
      ? []
      : [`${counted(knownFailureNotes.length, "known failure")} that did not occur`]),
  ];
};

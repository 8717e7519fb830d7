import {
  provenCount,
  ruleStanding,
  type ReportedFinding,
  type RuleVerdict,
  type RunChange,
  type RunResult,
} from "@assay/results";
import { outcomeWords } from "../document/outcome-words.ts";
import { shownText } from "../document/shown-text.ts";
import { terminalText } from "./terminal-text.ts";

/** How many findings of one rule are told; the others are counted. */
const mostFindings = 3;

const placeOf = ({ event, exchange, offset }: ReportedFinding): string =>
  [
    ...(exchange === undefined ? [] : [`exchange=${shownText(exchange, "name")}`]),
    ...(event === undefined ? [] : [`event=${event}`]),
    ...(offset === undefined ? [] : [`offset=${offset}`]),
  ].join(" ");

function linesOf(rule: RuleVerdict, isBlind: boolean): readonly string[] {
  const { verdict } = rule;
  const standing = ruleStanding(rule);
  const id = shownText(rule.rule, "name");
  if (verdict.outcome === "failed" || verdict.outcome === "warned") {
    const told = verdict.findings.slice(0, mostFindings);
    const more = verdict.findings.length - told.length + verdict.moreFindings;
    return [
      ...told.map((finding) => `${standing} ${id} ${placeOf(finding)}: ${shownText(finding.message)}`),
      ...(more > 0 ? [`${standing} ${id}: and ${more} more`] : []),
    ];
  }
  if (standing === "unexpectedly-fixed") {
    return [`${standing} ${id}`];
  }
  // Where nothing was judged, the reason of the run is that of every rule.
  if (isBlind) {
    return [];
  }
  if (verdict.outcome === "could-not-run") {
    return [`${standing} ${id}: ${shownText(verdict.missing)}`];
  }
  return verdict.outcome === "not-observed" && rule.mustObserve
    ? [`${standing} ${id}: demanded${verdict.reason === undefined ? "" : `; ${shownText(verdict.reason)}`}`]
    : [];
}

/** What is told besides the result. */
export interface AgentOptions {
  /** Where the files of the run are, as its reader names it. */
  readonly folder: string;
  /** What changed since a baseline. */
  readonly change?: RunChange | undefined;
}

/**
 * A result for programs that read text, and for people who want little of it: one line for the verdict, one for each finding and
 * for each rule that kept the run from being green, and where more is found. A run that passed is one line. Nothing in colour,
 * nothing drawn; no line break and no control character of a target.
 */
export const renderAgent = (result: RunResult, { folder, change }: AgentOptions): string => {
  const { counts, exitCode, incomplete, outcome, verdicts } = result;
  const held = Object.entries(counts)
    .filter(([, count]) => count > 0)
    .map(([standing, count]) => `${standing}=${count}`);
  const { sign } = outcomeWords[outcome];
  const files = `files=${shownText(folder, "url")}`;
  const first = `${sign} verdict=${outcome} exit=${exitCode} ${held.join(" ")} proven=${provenCount(verdicts) ?? 0}`;
  const changed = change === undefined ? [] : [`changed: ${shownText(change.sentence)}`];
  const isBlind = counts.passed + counts.failed + counts.warned === 0;
  const findings = [
    ...incomplete.map(({ code, message }) => `incomplete ${code}: ${shownText(message)}`),
    ...verdicts.flatMap((rule) => linesOf(rule, isBlind)),
  ];
  return terminalText(
    findings.length === 0 && outcome === "passed"
      ? [`${first} ${files}`, ...changed]
      : [first, ...findings, ...changed, `${files} explain="assay explain ${shownText(folder, "url")} RULE"`],
  );
};

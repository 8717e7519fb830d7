import type { RunOutcome } from "../outcome.ts";
import type { LoadFacts } from "./conclude-load.ts";
import type { LoadThreshold } from "./load-result.ts";

/** What the sentence of a load run may speak of. */
export interface LoadSentenceFacts extends LoadFacts {
  /** Undefined for an invalid run. */
  readonly performance: "passed" | "failed" | "inconclusive" | undefined;
}

const namedCodes = 3;

const listed = (names: readonly string[]): string => {
  const more = names.length - namedCodes;
  return [...names.slice(0, namedCodes), ...(more > 0 ? [`${more} more`] : [])].join(", ");
};

const reasons = ({ incomplete }: LoadFacts): string => {
  const [first, ...rest] = incomplete;
  const more = rest.length > 0 ? ` (${rest.length} more ${rest.length === 1 ? "reason" : "reasons"})` : "";
  return `${first?.message ?? "no reason was recorded"}${more}`;
};

const underLoad = ({ violations }: LoadFacts): readonly string[] => {
  const seen = Object.entries(violations).filter(([, count]) => count > 0);
  const codes = seen.map(([code, count]) => `\`${code}\` ${count} ${count === 1 ? "time" : "times"}`);
  return codes.length === 0 ? [] : [`the contract was violated under load: ${listed(codes)}`];
};

const besideLoad = ({ canary }: LoadFacts): readonly string[] => {
  if (canary?.outcome !== "failed") {
    return [];
  }
  const names = canary.failed.map(({ rule }) => rule);
  return [`the judges that ran beside the load: ${names.length === 0 ? canary.summary : `violated: ${listed(names)}`}`];
};

const violated = (facts: LoadFacts): string => {
  const parts = [...underLoad(facts), ...besideLoad(facts)].join("; ");
  return facts.incomplete.length > 0 ? `${parts}; also incomplete: ${reasons(facts)}` : parts;
};

const valueOf = ({ valueMs, valueFraction }: LoadThreshold): string => {
  if (valueFraction !== undefined) {
    return ` (${Math.floor(valueFraction * 10_000) / 100} %)`;
  }
  return valueMs === undefined ? "" : ` (${valueMs.toFixed(1)} ms)`;
};

const missed = (facts: LoadFacts): string => {
  const thresholds = facts.thresholds.filter(({ ok }) => ok === false);
  const names = thresholds.map((threshold) => `\`${threshold.threshold}\`${valueOf(threshold)}`);
  const parts = [
    ...(names.length === 0 ? [] : [`missed: ${listed(names)}`]),
    ...(facts.comparison?.verdict === "regressed" ? [facts.comparison.summary] : []),
  ];
  return parts.join("; ");
};

const good = (facts: LoadFacts): string => {
  const compared = facts.comparison === undefined ? "" : `; ${facts.comparison.summary}`;
  const kept =
    facts.thresholds.length === 0 ? "" : `, ${facts.thresholds.length} of ${facts.thresholds.length} limits kept`;
  return `${facts.okCount} ${facts.okCount === 1 ? "sample" : "samples"} went well, no violation${kept}${compared}`;
};

const left = ({ cleanUp, canary }: LoadFacts): string =>
  cleanUp === undefined || cleanUp.left.length === 0
    ? `the judges that ran beside the load: ${canary?.summary ?? "no detail was recorded"}`
    : `${cleanUp.left.length} of ${cleanUp.created} conversations are left on the target; \`assay cleanup\` removes them`;

const sentences: Readonly<Record<RunOutcome, (facts: LoadFacts) => string>> = {
  passed: good,
  failed: violated,
  incomplete: (facts) => `nothing is decided: ${reasons(facts)}`,
  "usage-error": ({ usageError }) => usageError ?? "wrong usage",
  "harness-error": ({ harnessError }) =>
    `a bug in the harness, not in the target: ${harnessError ?? "no cause was recorded"}`,
  interrupted: (facts) =>
    `interrupted by ${facts.interrupted ?? "a signal"}; what was recorded until then is stored: ${facts.okCount} samples that went well`,
  "performance-failed": missed,
  "performance-inconclusive": (facts) =>
    `no decision although one was asked for: ${facts.comparison?.summary ?? "nothing was compared"}`,
  "cleanup-incomplete": (facts) => `${good(facts)}; but ${left(facts)}`,
};

/** The sentence that says the outcome of a load run, without a full stop. */
export const loadSentence = (outcome: RunOutcome, facts: LoadSentenceFacts): string => sentences[outcome](facts);

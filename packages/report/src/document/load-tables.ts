import { describeArrival, listRunDetails, listViolations } from "./load-facts.ts";
import { grammarObservations, grammarViolations, listNames } from "@assay/contract";
import type { LoadOutcome, LoadResult, TrustCheck } from "@assay/results";
import { counted, formatGrouped, formatSize } from "./counted.ts";
import type { TextTable } from "./document.ts";
import { formatInstant } from "./instant-text.ts";
import { standardClientWords } from "./outcome-words.ts";
import { formatMs, formatNumber, formatShare, formatPeriod } from "./shown-number.ts";

/** Codes that load scenarios count in addition to those of the stream grammar. */
const scenarioCodes: Readonly<Record<string, string>> = {
  "illegal-transition": "a conversation made an illegal state transition",
  "unknown-state": "a conversation had an undocumented state",
  "bad-answer": "a response of the conversation API without required members",
  "content-type": "the content type was not `text/event-stream`, or was missing",
};

const isViolation = (code: string): code is keyof typeof grammarViolations => Object.hasOwn(grammarViolations, code);
const isObservation = (code: string): code is keyof typeof grammarObservations =>
  Object.hasOwn(grammarObservations, code);
const getScenarioMeaning = (code: string): string =>
  Object.hasOwn(scenarioCodes, code) ? (scenarioCodes[code] ?? "") : "";

const getViolationMeaning = (code: string): string =>
  isViolation(code)
    ? `${grammarViolations[code].title}; ${standardClientWords[grammarViolations[code].standardClient]}`
    : getScenarioMeaning(code);

const findViolatedRule = (code: string): string => (isViolation(code) ? (grammarViolations[code].rule ?? "-") : "-");

const outcomeMeanings: Readonly<Record<LoadOutcome, string>> = {
  ok: "ended normally",
  violation: "violated the contract",
  refused: "401 or 403",
  distress: "429 or 503",
  "bad-status": "an unexpected status, or a conversation that ended with an error",
  timeout: "missed its deadline",
  transport: "no connection, or the connection was lost",
  limit: "reached one of Assay's limits",
  "held-back": "not sent: the target was in distress",
  "not-begun": "not sent: all virtual users were busy",
  "over-budget": "not sent: the question budget was used up",
  canceled: "stopped because the run ended",
  unfinished: "a conversation that was still running at its deadline",
};

const isOutcome = (outcome: string): outcome is LoadOutcome => Object.hasOwn(outcomeMeanings, outcome);

const maxRows = 50;

const selectTopCounts = (counts: Readonly<Record<string, number>>): readonly (readonly [string, number])[] =>
  Object.entries(counts)
    .filter(([, count]) => count > 0)
    .toSorted(([, a], [, b]) => b - a)
    .slice(0, maxRows);

/** Lists the outcomes of measured requests by kind, with the meaning of each outcome. */
export const createOutcomesTable = ({ outcomes }: LoadResult): TextTable => ({
  caption: "Measured requests, excluding warm-up",
  head: ["kind", "outcome", "count", "share", "meaning"],
  rows: Object.entries(outcomes).flatMap(([kind, counts]) => {
    const total = Object.values(counts).reduce((sum, count) => sum + count, 0);
    return selectTopCounts(counts).map(([outcome, count]) => [
      kind,
      `${outcome === "ok" ? "✓" : "✗"} ${outcome}`,
      formatGrouped(count),
      formatShare(count / total, 2),
      isOutcome(outcome) ? outcomeMeanings[outcome] : "",
    ]);
  }),
});

/** Lists the violations in all streams and conversations of the load, most frequent first. */
export const createViolationsTable = (load: LoadResult): TextTable => ({
  caption: "All requests, including warm-up",
  head: ["code", "count", "meaning", "rule"],
  rows: listViolations(load)
    .slice(0, maxRows)
    .map(([code, count]) => [`✗ ${code}`, formatGrouped(count), getViolationMeaning(code), findViolatedRule(code)]),
});

/** Lists permitted choices of the target, most frequent first. */
export const createChoicesTable = ({ observations }: LoadResult): TextTable => ({
  caption: "All requests, including warm-up",
  head: ["code", "count", "meaning"],
  rows: selectTopCounts(observations).map(([code, count]) => [
    code,
    formatGrouped(count),
    isObservation(code) ? grammarObservations[code].title : getScenarioMeaning(code),
  ]),
});

const conditionNames: Readonly<Record<string, string>> = {
  "sides-end-alike": "failure rates similar",
  "warm-up-is-flat": "no warm-up trend",
};

const getConditionName = (check: string): string =>
  Object.hasOwn(conditionNames, check) ? (conditionNames[check] ?? "") : check.replaceAll("-", " ");

const formatResult = ({ ok }: TrustCheck): string => {
  if (ok === undefined) {
    return "– not checked";
  }
  return ok ? "✓ ok" : "✗ failed";
};

const formatQuantity = (value: number | undefined, unit: TrustCheck["unit"]): string => {
  switch (unit) {
    case "fraction":
      return formatShare(value, 2).replace(" ", "\u00A0");
    case "ms":
      return value === undefined ? "-" : `${formatMs(value)}\u00A0ms`;
    case "count":
    case undefined:
      return value === undefined ? "-" : String(value);
  }
};

/** Failed conditions first, then those that could not be checked. */
const conditionOrder = [false, undefined, true] as const;

/** Lists the conditions for a valid load, with measured value and threshold. */
export const createConditionsTable = ({ trust: { checks } }: LoadResult): TextTable => ({
  caption: "Conditions for a valid load",
  head: ["condition", "result", "value", "limit", "explanation"],
  rows: conditionOrder
    .flatMap((result) => checks.filter(({ ok }) => ok === result))
    .map((check) => [
      getConditionName(check.check),
      formatResult(check),
      formatQuantity(check.value, check.unit),
      formatQuantity(check.limit, check.unit),
      check.sentence,
    ]),
});

const maxQueries = 20;

const formatQueries = ({ queries, conversation }: LoadResult["plan"]): string => {
  const names = [...queries, ...(conversation?.questions ?? [])].map(({ name }) => name);
  return listNames(names, maxQueries);
};

/** Describes the load plan, the machine that generated the load, and the run. */
export const createPlanTable = (load: LoadResult): TextTable => {
  const { plan, environment, run, tool } = load;
  return {
    caption: "Load plan and load generator",
    head: ["property", "value"],
    rows: [
      ["load", describeArrival(plan)],
      ["arrivals", "evenly spaced, sent without waiting for earlier responses (open model)"],
      ...(plan.shape === "steady" || plan.shape === "soak"
        ? []
        : [["rate", `ramps up to ${formatNumber(plan.ratePerSecond)}/s`]]),
      ["queries", formatQueries(plan)],
      ["request deadline", formatPeriod(plan.timeoutMs)],
      ["started", formatInstant(run.startedAt)],
      ["run", listRunDetails(load).join(" · ")],
      [
        "machine",
        `${counted(environment.cores, "core")} of ${environment.cpuModel}, ${formatSize(environment.memoryBytes)}, ${environment.platform} ${environment.architecture}`,
      ],
      ["versions", `assay ${tool.version}, k6 ${environment.k6Version}, Node ${environment.nodeVersion}`],
      ["machine fingerprint", environment.fingerprint.slice(0, 12)],
      ["scenario digest", run.scenarioSha256.slice(0, 12)],
    ],
  };
};

import { HarnessError } from "@assay/contract";
import { parseThreshold, type Threshold } from "@assay/load";
import type { LoadMetricName } from "@assay/results";
import type { ChosenScenario } from "./resolve-scenario.ts";
import type { LoadOptions } from "./load-options.ts";

type ThresholdOptions = Pick<LoadOptions, "threshold" | "warnThreshold" | "abortThreshold">;

/** Parses the thresholds of the flags, with their severity. Throws a `HarnessError` for a threshold that cannot be judged. */
export const parseThresholds = ({
  threshold = [],
  warnThreshold = [],
  abortThreshold = [],
}: ThresholdOptions): readonly Threshold[] => [
  ...threshold.map((text) => parseThreshold(text)),
  ...abortThreshold.map((text) => parseThreshold(text, "abort")),
  ...warnThreshold.map((text) => parseThreshold(text, "warn")),
];

const searchMetrics: readonly LoadMetricName[] = ["headers", "first-event", "first-match", "stream"];
const questionMetrics: readonly LoadMetricName[] = ["create", "poll", "delete", "terminal-lower", "terminal-upper"];

/** Lists the metrics of a scenario. Undefined for a user's file, which may measure any metric. */
const listScenarioMetrics = ({
  source: scenario,
  name,
  facts,
}: ChosenScenario): readonly LoadMetricName[] | undefined =>
  scenario === name
    ? [...(facts.searches ? searchMetrics : []), ...(facts.asksQuestions ? questionMetrics : []), "start-lag"]
    : undefined;

/**
 * Parses the thresholds of a run. Throws like `parseThresholds`, and for a metric that the scenario does not measure: its threshold
 * could never be decided.
 */
export const parseScenarioThresholds = (scenario: ChosenScenario, options: ThresholdOptions): readonly Threshold[] => {
  const thresholds = parseThresholds(options);
  const metrics = listScenarioMetrics(scenario);
  for (const threshold of thresholds) {
    if (metrics !== undefined && threshold.kind === "latency" && !metrics.includes(threshold.metric)) {
      throw new HarnessError(
        "bad-threshold",
        `the threshold \`${threshold.text}\` cannot be judged: ${scenario.name} has no metric \`${threshold.metric}\`; it has ${metrics.join(", ")}`,
      );
    }
  }
  return thresholds;
};

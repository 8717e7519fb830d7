import type { LoadMetricName, LoadPlan, LoadResult } from "@assay/results";
import { escapeForDisplay } from "../../document/shown-text.ts";
import { formatNumber, formatPeriod } from "../../document/shown-number.ts";
import { selectLeadingMetrics } from "./latency-side.ts";

/** A property that must be equal in two runs joined by a line. */
interface Condition {
  readonly name: string;
  readonly value: (load: LoadResult) => string;
  /** The value as readable text. Default: `value`. */
  readonly display?: (load: LoadResult) => string;
}

const getQueryKey = (list: LoadPlan["queries"]): string => JSON.stringify(list.map(({ name, text }) => [name, text]));

const describeQueries = (list: LoadPlan["queries"]): string => {
  const names = list.slice(0, 3).map(({ name }) => escapeForDisplay(name, "name"));
  return list.length === 0 ? "none" : `${list.length} (${[...names, ...(list.length > 3 ? ["…"] : [])].join(", ")})`;
};

const getConversationKey = ({ plan: { conversation } }: LoadResult): string =>
  conversation === undefined
    ? "none"
    : JSON.stringify([
        conversation.interface,
        conversation.pollIntervalMs,
        conversation.pollers ?? 1,
        conversation.deadlineMs,
        getQueryKey(conversation.questions),
      ]);

const conditions: readonly Condition[] = [
  { name: "scenario", value: ({ plan }) => escapeForDisplay(plan.scenario, "name") },
  {
    name: "target",
    value: ({ run }) => (run.embedded ? "the embedded reference server" : escapeForDisplay(run.target, "url")),
  },
  { name: "arrival rate", value: ({ plan }) => `${formatNumber(plan.ratePerSecond)}/s` },
  { name: "shape", value: ({ plan }) => plan.shape },
  { name: "duration", value: ({ plan }) => formatPeriod(plan.durationMs) },
  { name: "warm-up", value: ({ plan }) => formatPeriod(plan.warmupMs) },
  {
    name: "environment",
    value: ({ environment }) => environment.fingerprint,
    display: ({ environment: { cores, cpuModel, k6Version, fingerprint } }) =>
      `${cores} × ${escapeForDisplay(cpuModel, "name")}, k6 ${escapeForDisplay(k6Version, "name")}, ${escapeForDisplay(fingerprint.slice(0, 12), "name")}`,
  },
  {
    name: "list of queries",
    value: ({ plan }) => getQueryKey(plan.queries),
    display: ({ plan }) => describeQueries(plan.queries),
  },
  {
    name: "way of polling",
    value: getConversationKey,
    display: ({ plan }) => describeQueries(plan.conversation?.questions ?? []),
  },
  { name: "timeout", value: ({ plan }) => formatPeriod(plan.timeoutMs) },
  { name: "use of gzip", value: ({ plan }) => (plan.gzip === true ? "yes" : "no") },
  { name: "number of processes", value: ({ run }) => String(run.processes) },
  {
    name: "scenario digest",
    value: ({ run }) => run.scenarioSha256,
    display: ({ run }) => escapeForDisplay(run.scenarioSha256.slice(0, 12), "name"),
  },
];

const createGroupKey = (load: LoadResult): string => JSON.stringify(conditions.map(({ value }) => value(load)));

/** Runs joined by one line, by start time. */
export interface TrendGroup {
  readonly loads: readonly LoadResult[];
  /** The metric of the trend; undefined if no run measured anything. */
  readonly metric: LoadMetricName | undefined;
}

/** Compares by start, then id, independent of the locale. */
const compareByStart = (a: LoadResult, b: LoadResult): number => (createStartKey(a) < createStartKey(b) ? -1 : 1);
const createStartKey = ({ run }: LoadResult): string => `${run.startedAt} ${run.id}`;

/** Reports whether a run belongs in a trend. A run on two targets measures only for its comparison. */
export const isForTrend = ({ run, plan }: LoadResult): boolean =>
  run.against === undefined && plan.blocks === undefined;

/** Groups comparable runs, the group of the latest run first. */
export const createTrendGroups = (loads: readonly LoadResult[]): readonly TrendGroup[] => {
  const groups = new Map<string, LoadResult[]>();
  for (const load of loads.filter(isForTrend).toSorted(compareByStart)) {
    const key = createGroupKey(load);
    groups.set(key, [...(groups.get(key) ?? []), load]);
  }
  return [...groups.values()]
    .toSorted((a, b) => {
      const [latestOfA, latestOfB] = [a.at(-1), b.at(-1)];
      return latestOfA === undefined || latestOfB === undefined ? 0 : compareByStart(latestOfB, latestOfA);
    })
    .map((group) => ({
      loads: group,
      metric: selectLeadingMetrics({ metrics: group.flatMap(({ metrics }) => metrics) })[0],
    }));
};

/** Returns a list of the first load, which is empty for an empty group. Its conditions are those of all loads. */
const takeFirstLoad = (group: TrendGroup): readonly LoadResult[] => group.loads.slice(0, 1);

/** Describes the differences between two groups of runs as clauses. */
export const describeGroupDifferences = (here: TrendGroup, there: TrendGroup): readonly string[] =>
  takeFirstLoad(here).flatMap((hereLoad) =>
    takeFirstLoad(there).flatMap((thereLoad) =>
      conditions
        .filter(({ value }) => value(hereLoad) !== value(thereLoad))
        .map(({ name, value, display = value }) =>
          display(hereLoad) === display(thereLoad)
            ? `${name}: not the same`
            : `${name}: ${display(thereLoad)} there, ${display(hereLoad)} here`,
        ),
    ),
  );

/** Returns a row for each property that differs between loads. */
export const listDifferingConditions = (
  loads: readonly LoadResult[],
): readonly (readonly [name: string, ...texts: string[]])[] =>
  conditions
    .filter(({ value }) => new Set(loads.map(value)).size > 1)
    .map(({ name, value, display = value }) => [name, ...loads.map(display)] as const);

/** Describes the common properties of a group's runs as a clause. */
export const describeGroup = (group: TrendGroup): string =>
  takeFirstLoad(group)
    .map((load) =>
      conditions
        .slice(0, 5)
        .map(({ value }) => value(load))
        .join(" · "),
    )
    .join("");

import type { LoadMetricName, LoadPlan, LoadResult } from "@assay/results";
import { shownText } from "../../document/shown-text.ts";
import { plainNumber, stretchText } from "../../document/shown-number.ts";
import { leadingMetrics } from "./latency-side.ts";

/** A property that must be equal in two runs joined by a line. */
interface Condition {
  readonly name: string;
  readonly value: (load: LoadResult) => string;
  /** The text for people [value]. */
  readonly shown?: (load: LoadResult) => string;
}

const textsOf = (list: LoadPlan["queries"]): string => JSON.stringify(list.map(({ name, text }) => [name, text]));

const namesOf = (list: LoadPlan["queries"]): string => {
  const names = list.slice(0, 3).map(({ name }) => shownText(name, "name"));
  return list.length === 0 ? "none" : `${list.length} (${[...names, ...(list.length > 3 ? ["…"] : [])].join(", ")})`;
};

const conversationOf = ({ plan: { conversation } }: LoadResult): string =>
  conversation === undefined
    ? "none"
    : JSON.stringify([
        conversation.interface,
        conversation.pollIntervalMs,
        conversation.pollers ?? 1,
        conversation.deadlineMs,
        textsOf(conversation.questions),
      ]);

const conditions: readonly Condition[] = [
  { name: "scenario", value: ({ plan }) => shownText(plan.scenario, "name") },
  {
    name: "target",
    value: ({ run }) => (run.embedded ? "the embedded reference server" : shownText(run.target, "url")),
  },
  { name: "arrival rate", value: ({ plan }) => `${plainNumber(plan.ratePerSecond)}/s` },
  { name: "shape", value: ({ plan }) => plan.shape },
  { name: "duration", value: ({ plan }) => stretchText(plan.durationMs) },
  { name: "warm-up", value: ({ plan }) => stretchText(plan.warmupMs) },
  {
    name: "environment",
    value: ({ environment }) => environment.fingerprint,
    shown: ({ environment: { cores, cpuModel, k6Version, fingerprint } }) =>
      `${cores} × ${shownText(cpuModel, "name")}, k6 ${shownText(k6Version, "name")}, ${shownText(fingerprint.slice(0, 12), "name")}`,
  },
  {
    name: "list of queries",
    value: ({ plan }) => textsOf(plan.queries),
    shown: ({ plan }) => namesOf(plan.queries),
  },
  { name: "way of polling", value: conversationOf, shown: ({ plan }) => namesOf(plan.conversation?.questions ?? []) },
  { name: "timeout", value: ({ plan }) => stretchText(plan.timeoutMs) },
  { name: "use of gzip", value: ({ plan }) => (plan.gzip === true ? "yes" : "no") },
  { name: "number of processes", value: ({ run }) => String(run.processes) },
  {
    name: "scenario digest",
    value: ({ run }) => run.scenarioSha256,
    shown: ({ run }) => shownText(run.scenarioSha256.slice(0, 12), "name"),
  },
];

const keyOf = (load: LoadResult): string => JSON.stringify(conditions.map(({ value }) => value(load)));

/** Runs that one line joins, by start time. */
export interface TrendGroup {
  readonly loads: readonly LoadResult[];
  /** The metric of the trend; undefined if no run measured anything. */
  readonly metric: LoadMetricName | undefined;
}

/** Orders runs by start, then id, independent of the locale. */
const byStart = (one: LoadResult, other: LoadResult): number => {
  const [a, b] = [one, other].map(({ run }) => `${run.startedAt} ${run.id}`);
  return (a ?? "") < (b ?? "") ? -1 : 1;
};

/** Reports whether a run belongs in a trend. A run on two targets measures only for its comparison. */
export const isForTrend = ({ run, plan }: LoadResult): boolean =>
  run.against === undefined && plan.blocks === undefined;

/** Groups of comparable runs, the group of the latest run first. */
export const trendGroups = (loads: readonly LoadResult[]): readonly TrendGroup[] => {
  const groups = new Map<string, LoadResult[]>();
  for (const load of loads.filter(isForTrend).toSorted(byStart)) {
    const key = keyOf(load);
    groups.set(key, [...(groups.get(key) ?? []), load]);
  }
  return [...groups.values()]
    .toSorted((one, other) => {
      const [a, b] = [one.at(-1), other.at(-1)];
      return a === undefined || b === undefined ? 0 : byStart(b, a);
    })
    .map((group) => ({
      loads: group,
      metric: leadingMetrics({ metrics: group.flatMap(({ metrics }) => metrics) })[0],
    }));
};

const first = (group: TrendGroup): readonly LoadResult[] => group.loads.slice(0, 1);

/** Differences between two groups of runs, one clause each. */
export const groupDifferences = (here: TrendGroup, there: TrendGroup): readonly string[] =>
  first(here).flatMap((one) =>
    first(there).flatMap((other) =>
      conditions
        .filter(({ value }) => value(one) !== value(other))
        .map(({ name, value, shown = value }) =>
          shown(one) === shown(other) ? `${name}: not the same` : `${name}: ${shown(other)} there, ${shown(one)} here`,
        ),
    ),
  );

/** Rows of properties that are not equal in all loads. */
export const madeDifferently = (
  loads: readonly LoadResult[],
): readonly (readonly [name: string, ...texts: string[]])[] =>
  conditions
    .filter(({ value }) => new Set(loads.map(value)).size > 1)
    .map(({ name, value, shown = value }) => [name, ...loads.map(shown)] as const);

/** Common properties of the runs of a group, one clause. */
export const groupSentence = (group: TrendGroup): string =>
  first(group)
    .map((load) =>
      conditions
        .slice(0, 5)
        .map(({ value }) => value(load))
        .join(" · "),
    )
    .join("");

import type { LoadQuery } from "@assay/results";
import { describeRun, type StoredRun } from "./stored-run.ts";

/** A property that must be equal in all runs. */
interface Property {
  readonly name: string;
  /** Returns the value to compare. */
  readonly key: (run: StoredRun) => string;
  /** Returns the value to show. By default, `key` does. */
  readonly describe?: (run: StoredRun) => string;
}

const describeQueries = (queries: readonly LoadQuery[]): string => {
  const names = queries.map(({ name }) => name);
  return `${names.length} (${[...names.slice(0, 3), ...(names.length > 3 ? ["..."] : [])].join(", ")})`;
};

const properties: readonly Property[] = [
  { name: "scenario", key: ({ plan }) => plan.scenario },
  {
    name: "digest of the scenario",
    key: ({ run }) => run.scenarioSha256,
    describe: ({ run }) => run.scenarioSha256.slice(0, 12),
  },
  { name: "shape of the load", key: ({ plan }) => plan.shape },
  { name: "arrival rate", key: ({ plan }) => `${plan.ratePerSecond} a second` },
  { name: "duration", key: ({ plan }) => `${plan.durationMs / 1000} s` },
  { name: "warm-up", key: ({ plan }) => `${plan.warmupMs / 1000} s` },
  {
    name: "list of queries",
    key: ({ plan }) => JSON.stringify(plan.queries.map(({ name, text }) => [name, text])),
    describe: ({ plan }) => describeQueries(plan.queries),
  },
  { name: "timeout", key: ({ plan }) => `${plan.timeoutMs} ms` },
  { name: "use of gzip", key: ({ plan }) => (plan.gzip === true ? "yes" : "no") },
  { name: "conversation interface", key: ({ plan }) => plan.conversation?.interface ?? "none" },
  { name: "poll interval", key: ({ plan }) => `${plan.conversation?.pollIntervalMs ?? 0} ms` },
  { name: "number of pollers", key: ({ plan }) => `${plan.conversation?.pollers ?? 1} a conversation` },
  { name: "deadline of conversations", key: ({ plan }) => `${plan.conversation?.deadlineMs ?? 0} ms` },
  {
    name: "list of questions",
    key: ({ plan }) => JSON.stringify((plan.conversation?.questions ?? []).map(({ name, text }) => [name, text])),
    describe: ({ plan }) => describeQueries(plan.conversation?.questions ?? []),
  },
  { name: "number of load processes", key: ({ run }) => `${run.processes}` },
  {
    name: "environment",
    key: ({ environment }) => environment.fingerprint,
    describe: ({ environment: { fingerprint, cpuModel, cores, k6Version } }) =>
      `${cores} x ${cpuModel} with k6 ${k6Version}, fingerprint ${fingerprint.slice(0, 12)},`,
  },
];

const findDifference = ({ name, key, describe = key }: Property, runs: readonly StoredRun[]): readonly string[] => {
  const [firstRun] = runs;
  const differentRun = firstRun && runs.find((run) => key(run) !== key(firstRun));
  return firstRun && differentRun
    ? [
        `the ${name} differs: ${describe(firstRun)} in ${describeRun(firstRun)}, ${describe(differentRun)} in ${describeRun(differentRun)}.`,
      ]
    : [];
};

/** Reports whether some responses did not come from the API. */
const hasForeignResponses = ({ incomplete = [] }: StoredRun): boolean =>
  incomplete.some(({ code }) => code === "not-the-api" || code === "authentication-refused");

/** Finds problems of single runs, one sentence each: ended early, invalid, not always answered by the API, or two targets. */
export const findUnusableRuns = (runs: readonly StoredRun[]): readonly string[] =>
  runs.flatMap((storedRun) => {
    const { run, plan, complete, trust } = storedRun;
    const runName = describeRun(storedRun);
    return [
      ...(complete ? [] : [`${runName} ended early; repeat it and let it end.`]),
      ...(trust.valid ? [] : [`${runName} is invalid: its report says why its figures cannot be trusted; repeat it.`]),
      ...(hasForeignResponses(storedRun)
        ? [`${runName} was not always answered by the API; see its report, and repeat it.`]
        : []),
      ...(plan.blocks === undefined && run.against === undefined
        ? []
        : [`${runName} compares two targets by itself; read its own comparison, or take runs on one target.`]),
    ];
  });

/** Finds the runs that were passed more than once, and returns each once. A copy in another folder is the same run. */
export const findRepeatedRuns = (runs: readonly StoredRun[]): readonly StoredRun[] => {
  const ids = runs.map(({ run }) => run.id);
  const repeatedRuns = runs.filter(({ run }, index) => ids.indexOf(run.id) !== index);
  return [...new Map(repeatedRuns.map((storedRun) => [storedRun.run.id, storedRun])).values()];
};

/** Finds properties that differ between the runs although they must be equal, as sentences. */
export const findDifferences = (runs: readonly StoredRun[]): readonly string[] =>
  properties.flatMap((property) => findDifference(property, runs));

const describeRepeated = (runs: readonly StoredRun[]): readonly string[] =>
  findRepeatedRuns(runs).map((run) => `${describeRun(run)} was passed more than once; pass each run once.`);

/**
 * Finds the reasons runs of two sides cannot be compared, as sentences. Having too few runs is not one of
 * them: it makes the verdict inconclusive.
 */
export const findIncomparableReasons = (base: readonly StoredRun[], head: readonly StoredRun[]): readonly string[] => {
  const runs = [...base, ...head];
  return [
    ...(base.length === 0 ? ["the base has no runs."] : []),
    ...(head.length === 0 ? ["the head has no runs."] : []),
    ...describeRepeated(runs),
    ...findUnusableRuns(runs),
    ...findDifferences(runs),
  ];
};

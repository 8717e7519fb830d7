import { HarnessError } from "@assay/contract";
import { fromVersion1, type LoadMetric, loadShapes } from "@assay/results";
import type { StoredRun } from "../compare/stored-run.ts";

type Fields = Readonly<Record<string, unknown>>;

export const isRecord = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const isText = (value: unknown): value is string => typeof value === "string";
const isNumber = (value: unknown): value is number => typeof value === "number" && Number.isFinite(value);
const isAbsentOr = (value: unknown, holds: (value: unknown) => boolean): boolean => value === undefined || holds(value);

const isQuery = (value: unknown): boolean => isRecord(value) && isText(value["name"]) && isText(value["text"]);
const isQueries = (value: unknown): boolean => Array.isArray(value) && value.every(isQuery);

const isConversation = (value: unknown): boolean =>
  isRecord(value) &&
  isText(value["interface"]) &&
  isNumber(value["pollIntervalMs"]) &&
  isNumber(value["deadlineMs"]) &&
  isQueries(value["questions"]);

const isPlan = (value: unknown): boolean =>
  isRecord(value) &&
  isText(value["scenario"]) &&
  loadShapes.some((shape) => shape === value["shape"]) &&
  ["ratePerSecond", "durationMs", "warmupMs", "timeoutMs"].every((name) => isNumber(value[name])) &&
  isQueries(value["queries"]) &&
  isAbsentOr(value["blocks"], isRecord) &&
  isAbsentOr(value["conversation"], isConversation);

const isRun = (value: unknown): boolean =>
  isRecord(value) &&
  ["id", "startedAt", "target", "scenarioSha256"].every((name) => isText(value[name])) &&
  isNumber(value["processes"]) &&
  isAbsentOr(value["against"], isText);

const hasRun = ({ run, folder }: Fields): boolean => isRun(run) && isAbsentOr(folder, isText);

const isEnvironment = (value: unknown): boolean =>
  isRecord(value) &&
  ["fingerprint", "cpuModel", "k6Version"].every((name) => isText(value[name])) &&
  isNumber(value["cores"]);

const isPercentile = (value: unknown): boolean => isRecord(value) && isNumber(value["value"]);

const isMetric = (value: unknown): value is LoadMetric =>
  isRecord(value) &&
  isText(value["metric"]) &&
  isText(value["side"]) &&
  isNumber(value["count"]) &&
  ["p50", "p95", "p99"].every((name) => isAbsentOr(value[name], isPercentile));

const isOutcomes = (value: unknown): boolean =>
  isRecord(value) && Object.values(value).every((counts) => isRecord(counts) && Object.values(counts).every(isNumber));

const isReasons = (value: unknown): boolean =>
  Array.isArray(value) && value.every((reason: unknown) => isRecord(reason) && isText(reason["code"]));

const isStoredRun = (value: unknown): value is StoredRun =>
  isRecord(value) &&
  hasRun(value) &&
  isPlan(value["plan"]) &&
  isEnvironment(value["environment"]) &&
  typeof value["complete"] === "boolean" &&
  isRecord(value["trust"]) &&
  typeof value["trust"]["valid"] === "boolean" &&
  isOutcomes(value["outcomes"]) &&
  isAbsentOr(value["incomplete"], isReasons) &&
  Array.isArray(value["metrics"]) &&
  value["metrics"].every(isMetric);

/**
 * Checks that a value has all members of a load result that a comparison reads. `where` names its origin in messages.
 * Fails with `unsupported-schema` or `not-a-load-result`.
 */
export const readStoredRun = (stored: unknown, where: string): StoredRun => {
  const value = fromVersion1(stored);
  const version = isRecord(value) ? value["schemaVersion"] : undefined;
  if (isNumber(version) && version !== 2) {
    throw new HarnessError(
      "unsupported-schema",
      `${where} has schema version ${version}, and this version of Assay reads only 1 and 2; repeat the run with this version.`,
    );
  }
  if (version !== 2 || !isStoredRun(value)) {
    throw new HarnessError(
      "not-a-load-result",
      `${where} is not the result of a load run; name a run that \`assay load\` has stored.`,
    );
  }
  return value;
};

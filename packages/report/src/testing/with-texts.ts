import { ruleStandings } from "@assay/results";

/** Members with a closed set of values. */
const closed: ReadonlySet<string> = new Set([
  "schemaVersion",
  "outcome",
  "basis",
  "kind",
  "blockedBy",
  "standardClient",
  "standing",
  "status",
]);

/** Closed values of members that may also have text. */
const words: ReadonlySet<string> = new Set([
  ...ruleStandings,
  "served",
  "pinned",
  "legacy",
  "current",
  "a",
  "b",
  "measure",
  "warmup",
  "steady",
  "paired",
  "stored",
  "fraction",
  "ms",
  "count",
  "improved",
  "unchanged",
  "regressed",
  "inconclusive",
  "first-match",
  "stream",
]);

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const changed = (value: unknown, text: (original: string) => string): unknown => {
  if (typeof value === "string") {
    return words.has(value) ? value : text(value);
  }
  if (Array.isArray(value)) {
    return value.map((one) => changed(one, text));
  }
  return isRecord(value)
    ? Object.fromEntries(Object.entries(value).map(([key, one]) => [key, closed.has(key) ? one : changed(one, text)]))
    : value;
};

/** The value with every text replaced, except closed values. */
export const withTexts = <Value extends object>(value: Value, text: (original: string) => string): Value => {
  const hasForm = (one: unknown): one is Value => isRecord(one) === isRecord(value);
  const other = changed(value, text);
  if (!hasForm(other)) {
    throw new Error("the value lost its form");
  }
  return other;
};

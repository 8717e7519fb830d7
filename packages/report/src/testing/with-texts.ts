import { ruleStandings } from "@assay/results";

/** Members whose values are closed words of the format and not text of anybody. */
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

/** Words that stand where text may stand too. */
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

/** A value of the same form with every text in it replaced; the closed words of the format stay. */
export const withTexts = <Value extends object>(value: Value, text: (original: string) => string): Value => {
  const hasForm = (one: unknown): one is Value => isRecord(one) === isRecord(value);
  const other = changed(value, text);
  if (!hasForm(other)) {
    throw new Error("the value lost its form");
  }
  return other;
};

/**
 * The effect of a deviation on a standard event-stream parser: `same-events` (it delivers the intended events), `other-events` (it
 * silently drops, merges or changes events) or `error` (it reports an error). No current code has `error`, but older results do.
 */
export type StandardClientView = "same-events" | "other-events" | "error";

interface GrammarCode {
  /** Describes the deviation, as a clause. */
  readonly title: string;
  /** The rule that fails with this code. */
  readonly rule: string;
  readonly standardClient: StandardClientView;
}

/** Closed codes of departures from the event format. Source: search-stream, section 6. */
export const grammarViolations = {
  "third-field": {
    title: "a field other than `event` and `data`",
    rule: "stream/two-fields",
    standardClient: "same-events",
  },
  "not-a-field": { title: "a line that is not a field", rule: "stream/two-fields", standardClient: "same-events" },
  comment: { title: "a comment line", rule: "stream/two-fields", standardClient: "same-events" },
  "id-field": { title: "an `id` field", rule: "stream/two-fields", standardClient: "same-events" },
  "retry-field": { title: "a `retry` field", rule: "stream/two-fields", standardClient: "same-events" },
  "missing-event": {
    title: "an event without an `event` field",
    rule: "stream/two-fields",
    standardClient: "other-events",
  },
  "missing-data": {
    title: "an event without a `data` field",
    rule: "stream/two-fields",
    standardClient: "other-events",
  },
  "repeated-event": { title: "a second `event` field", rule: "stream/two-fields", standardClient: "other-events" },
  "repeated-data": { title: "a second `data` field", rule: "stream/two-fields", standardClient: "other-events" },
  "empty-event-name": {
    title: "an `event` field without a name",
    rule: "stream/two-fields",
    standardClient: "other-events",
  },
  "carriage-return": { title: "a carriage return", rule: "stream/lines-end-with-lf", standardClient: "same-events" },
  "extra-blank-line": {
    title: "an extra blank line",
    rule: "stream/one-blank-line-between-events",
    standardClient: "same-events",
  },
  "missing-blank-line": {
    title: "no blank line between two events",
    rule: "stream/one-blank-line-between-events",
    standardClient: "other-events",
  },
  "unterminated-event": {
    title: "a last event that is cut off",
    rule: "stream/last-event-is-complete",
    standardClient: "other-events",
  },
  "byte-order-mark": { title: "a byte order mark", rule: "stream/no-byte-order-mark", standardClient: "same-events" },
  "invalid-utf8": {
    title: "a byte sequence that is not UTF-8",
    rule: "stream/text-is-utf-8",
    standardClient: "same-events",
  },
  "data-not-json": { title: "data that is not JSON", rule: "stream/data-is-json", standardClient: "same-events" },
  "bytes-after-done": { title: "bytes after `done`", rule: "stream/done-is-last", standardClient: "same-events" },
  "second-done": { title: "a second `done`", rule: "stream/done-is-last", standardClient: "same-events" },
  "no-done": { title: "no `done`", rule: "stream/done-is-last", standardClient: "same-events" },
  "done-not-empty": {
    title: "a `done` whose data is not `{}`",
    rule: "stream/done-is-an-empty-object",
    standardClient: "same-events",
  },
} as const satisfies Record<string, GrammarCode>;
export type GrammarViolationCode = keyof typeof grammarViolations;

/** Returns the codes of a rule about the event format, or none if it has only one. */
export function findGrammarCodes(rule: string): readonly string[] {
  const codes = Object.entries(grammarViolations).flatMap(([code, violation]) =>
    violation.rule === rule ? [code] : [],
  );
  return codes.length > 1 ? codes : [];
}

/** Closed codes of permitted choices worth recording; each belongs to an unspecified behaviour. */
export const grammarObservations = {
  "field-order": { title: "`data` comes before `event`", behaviour: "stream/field-order" },
  "no-space-after-colon": { title: "no space after the colon of a field", behaviour: "stream/space-after-colon" },
  "no-last-separator": { title: "the last event is not followed by two newlines", behaviour: "stream/last-separator" },
  "unlisted-event-name": {
    title: "an event name that the specification does not list",
    behaviour: "stream/unlisted-event-names",
  },
} as const;
export type GrammarObservationCode = keyof typeof grammarObservations;

/** Closed codes of limits of the checker itself. Reaching one means blocked, never a violation. */
export const grammarLimits = {
  "line-too-long": { title: "a line longer than the checker's limit" },
  "json-too-deep": { title: "JSON that this engine cannot read" },
} as const;
export type GrammarLimitCode = keyof typeof grammarLimits;

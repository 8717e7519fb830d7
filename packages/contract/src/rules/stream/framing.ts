import type { RuleRow } from "../../rule-record.ts";

/** The form of the stream: bytes, lines, events. */
export const framingRules = {
  "stream/two-fields": {
    basis: "stated",
    title: "Every event has exactly the fields `event` and `data`, one on each line",
    sentences: [
      "search-stream#6.1-two-fields",
      "search-stream#6.3-event-names-the-type",
      "search-stream#4.14-response-format",
    ],
    demandedBy: "smoke",
  },
  "stream/lines-end-with-lf": {
    basis: "stated",
    title: "Lines end with a line feed alone; there is no carriage return in the stream",
    sentences: [
      "search-stream#6.2-two-newlines-between-events",
      "search-stream#6.1-two-fields",
      "search-stream#4.14-response-format",
    ],
    demandedBy: "smoke",
  },
  "stream/one-blank-line-between-events": {
    basis: "stated",
    title: "Exactly one blank line stands between two events",
    sentences: ["search-stream#6.2-two-newlines-between-events", "search-stream#4.14-response-format"],
    demandedBy: "smoke",
  },
  "stream/last-event-is-complete": {
    basis: "derived",
    title: "The last event is whole: it has both fields, and the end of the stream cuts none of them off",
    sentences: ["search-stream#6.1-two-fields", "search-stream#6.4-data-is-json", "search-stream#4.14-response-format"],
    demandedBy: "smoke",
  },
  "stream/no-byte-order-mark": {
    basis: "derived",
    title: "The stream begins with the first field of an event, not with a byte order mark",
    sentences: ["search-stream#6.1-two-fields", "search-stream#4.14-response-format"],
    demandedBy: "smoke",
  },
  "stream/text-is-utf-8": {
    basis: "derived",
    title: "The bytes of the stream are valid UTF-8",
    sentences: ["search-stream#6.4-data-is-json", "search-stream#4.14-response-format"],
    demandedBy: "smoke",
  },
  "stream/data-is-json": {
    basis: "stated",
    title: "The data of every event is JSON",
    sentences: ["search-stream#2.1-data-is-json", "search-stream#6.4-data-is-json"],
    demandedBy: "smoke",
  },
  "stream/done-is-last": {
    basis: "stated",
    title: "`done` comes exactly once and nothing follows it",
    sentences: ["search-stream#3.5-closed-by-done", "search-stream#6.10-done", "search-stream#4.14-response-format"],
    demandedBy: "smoke",
  },
  "stream/done-is-an-empty-object": {
    basis: "stated",
    title: "The data of `done` is the empty object",
    sentences: ["search-stream#3.5-closed-by-done", "search-stream#6.10-done"],
    demandedBy: "smoke",
  },
} as const satisfies Readonly<Record<string, RuleRow>>;

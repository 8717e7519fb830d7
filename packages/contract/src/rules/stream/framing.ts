import type { RuleRow } from "../../rule-record.ts";
import { noDone } from "../not-tested-reasons.ts";

/** The form of the stream: bytes, lines, events. */
export const framingRules = {
  "stream/two-fields": {
    basis: "stated",
    title: "Every event has exactly the fields `event` and `data`, one on each line",
    why: "Browsers' EventSource skips comments and other fields. Clients that read `event` and `data` line by line stop at them or drop the event.",
    requirements: [
      "search-stream#6.1-two-fields",
      "search-stream#6.3-event-names-the-type",
      "search-stream#4.14-response-format",
    ],
    demandedBy: "smoke",
    likelyCause: "A proxy that sends comments to keep the connection open.",
  },
  "stream/lines-end-with-lf": {
    basis: "stated",
    title: "Every line ends with a line feed and has no carriage return",
    why: "Clients that split at a line feed keep the carriage return at the end of names and data. They then find no event called `matches`.",
    requirements: [
      "search-stream#6.2-two-newlines-between-events",
      "search-stream#6.1-two-fields",
      "search-stream#4.14-response-format",
    ],
    demandedBy: "smoke",
    likelyCause: "A gateway that rewrites line endings.",
  },
  "stream/one-blank-line-between-events": {
    basis: "stated",
    title: "Exactly one blank line stands between two events",
    why: "Clients split events at blank lines. Without one, two events run together; with two, simple clients read an empty event.",
    requirements: ["search-stream#6.2-two-newlines-between-events", "search-stream#4.14-response-format"],
    demandedBy: "smoke",
    likelyCause: "A gateway that rewrites the stream.",
  },
  "stream/last-event-is-complete": {
    basis: "derived",
    title: "The last event is complete: it has both fields and is not cut off",
    why: "A client that waits for the rest of the event hangs or drops it. A standard SSE client drops it silently.",
    requirements: [
      "search-stream#6.1-two-fields",
      "search-stream#6.4-data-is-json",
      "search-stream#4.14-response-format",
    ],
    demandedBy: "smoke",
    likelyCause: "A proxy with a timeout or a size limit that cuts the stream off.",
  },
  "stream/no-byte-order-mark": {
    basis: "derived",
    title: "The stream does not begin with a byte order mark",
    requirements: ["search-stream#6.1-two-fields", "search-stream#4.14-response-format"],
    demandedBy: "smoke",
    likelyCause: "A gateway that re-encodes the response.",
  },
  "stream/text-is-utf-8": {
    basis: "derived",
    title: "The bytes of the stream are valid UTF-8",
    why: "Clients decode the stream as UTF-8. Other bytes show as replacement characters or stop the client.",
    requirements: ["search-stream#6.4-data-is-json", "search-stream#4.14-response-format"],
    demandedBy: "smoke",
    likelyCause: "A gateway that re-encodes the response.",
  },
  "stream/data-is-json": {
    basis: "stated",
    title: "The data of every event is JSON",
    why: "Clients parse the data of every event. Invalid JSON throws in most of them and ends the search for the user.",
    requirements: ["search-stream#2.1-data-is-json", "search-stream#6.4-data-is-json"],
    demandedBy: "smoke",
  },
  "stream/done-is-last": {
    basis: "stated",
    title: "`done` is sent exactly once, and nothing follows it",
    why: "Clients stop at `done`. Without it they cannot tell a complete search from one that was cut off; what follows it is lost.",
    requirements: ["search-stream#3.5-closed-by-done", "search-stream#6.10-done", "search-stream#4.14-response-format"],
    demandedBy: "smoke",
    likelyCause: "A proxy with a timeout or a size limit that cuts the stream off.",
  },
  "stream/done-is-an-empty-object": {
    basis: "stated",
    title: "The data of `done` is the empty object",
    requirements: ["search-stream#3.5-closed-by-done", "search-stream#6.10-done"],
    demandedBy: "smoke",
    notTested: noDone,
  },
} as const satisfies Readonly<Record<string, RuleRow>>;

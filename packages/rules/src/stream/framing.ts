import { defineFramingRule } from "../engine/rule.ts";

/** Extra fields, comments, `id` and `retry`, a missing or a repeated field. Source: search-stream, section 6. */
export const twoFields = defineFramingRule({ id: "stream/two-fields", counts: "events" });

/** CRLF is a violation: the two newline characters between events are LF LF. Source: search-stream, section 6. */
export const linesEndWithLf = defineFramingRule({ id: "stream/lines-end-with-lf", counts: "events" });

/** One blank line too many or one too few. Source: search-stream, section 6. */
export const oneBlankLineBetweenEvents = defineFramingRule({
  id: "stream/one-blank-line-between-events",
  counts: "events",
});

/**
 * The stream must not close before the blank line of its last event. A broken connection is not such a stream.
 * Source: search-stream, section 6.
 */
export const lastEventIsComplete = defineFramingRule({ id: "stream/last-event-is-complete", counts: "ended-streams" });

/** A byte order mark would become part of the first field name. Source: search-stream, section 6. */
export const noByteOrderMark = defineFramingRule({ id: "stream/no-byte-order-mark", counts: "streams" });

/** JSON between systems is UTF-8 (RFC 8259, section 8.1). Source: search-stream, section 6. */
export const textIsUtf8 = defineFramingRule({ id: "stream/text-is-utf-8", counts: "events" });

/** Whether data is JSON; the schema rules check its content. Source: search-stream, section 6. */
export const dataIsJson = defineFramingRule({ id: "stream/data-is-json", counts: "events", isOfEvents: true });

/** Nothing may follow `done`, and a stream that closes without it is cut off. Source: search-stream, section 6. */
export const doneIsLast = defineFramingRule({ id: "stream/done-is-last", counts: "ended-streams", isOfEvents: true });

/** The data of `done` has no members. Source: search-stream, section 6. */
export const doneIsAnEmptyObject = defineFramingRule({
  id: "stream/done-is-an-empty-object",
  counts: "done-events",
  isOfEvents: true,
});

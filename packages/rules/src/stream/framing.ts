import { defineFramingRule } from "../engine/rule.ts";

/**
 * Each event has exactly the fields `event` and `data`: no extra fields, comments, `id` or `retry`. Source:
 * search-stream, section 6.
 */
export const twoFields = defineFramingRule({ id: "stream/two-fields", counts: "events" });

/**
 * Lines end with LF. CRLF is a violation, because the two newline characters between events are LF LF. Source:
 * search-stream, section 6.
 */
export const linesEndWithLf = defineFramingRule({ id: "stream/lines-end-with-lf", counts: "events" });

/** Exactly one blank line separates events. Source: search-stream, section 6. */
export const oneBlankLineBetweenEvents = defineFramingRule({
  id: "stream/one-blank-line-between-events",
  counts: "events",
});

/**
 * The stream must not close before the blank line after its last event. A broken connection is ignored. Source:
 * search-stream, section 6.
 */
export const lastEventIsComplete = defineFramingRule({ id: "stream/last-event-is-complete", counts: "ended-streams" });

/** A byte order mark would become part of the first field name. Source: search-stream, section 6. */
export const noByteOrderMark = defineFramingRule({ id: "stream/no-byte-order-mark", counts: "streams" });

/** JSON between systems is UTF-8 (RFC 8259, section 8.1). Source: search-stream, section 6. */
export const textIsUtf8 = defineFramingRule({ id: "stream/text-is-utf-8", counts: "events" });

/** Data is JSON. The schema rules check its content. Source: search-stream, section 6. */
export const dataIsJson = defineFramingRule({ id: "stream/data-is-json", counts: "events", needsOnlyEvents: true });

/** No event follows `done`, and a stream that closes without `done` is truncated. Source: search-stream, section 6. */
export const doneIsLast = defineFramingRule({
  id: "stream/done-is-last",
  counts: "ended-streams",
  needsOnlyEvents: true,
});

/** The data of `done` has no members. Source: search-stream, section 6. */
export const doneIsAnEmptyObject = defineFramingRule({
  id: "stream/done-is-an-empty-object",
  counts: "done-events",
  needsOnlyEvents: true,
});

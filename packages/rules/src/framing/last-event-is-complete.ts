import { defineFramingRule } from "../engine/rule.ts";

/** A stream that closes before the blank line of its last event. A connection that breaks is no such stream. Source: search-stream, section 6. */
export const lastEventIsComplete = defineFramingRule({ id: "stream/last-event-is-complete", counts: "ended-streams" });

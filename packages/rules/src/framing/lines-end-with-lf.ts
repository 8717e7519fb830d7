import { defineFramingRule } from "../engine/rule.ts";

/** CRLF is a departure: the two newline characters between events are LF LF. Source: search-stream, section 6. */
export const linesEndWithLf = defineFramingRule({ id: "stream/lines-end-with-lf", counts: "events" });

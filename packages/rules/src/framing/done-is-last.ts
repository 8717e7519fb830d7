import { defineFramingRule } from "../engine/rule.ts";

/** Nothing may follow `done`, and a stream that closes without it is cut off. Source: search-stream, section 6. */
export const doneIsLast = defineFramingRule({ id: "stream/done-is-last", counts: "ended-streams" });

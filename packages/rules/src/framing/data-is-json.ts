import { defineFramingRule } from "../engine/rule.ts";

/** Whether data is JSON at all; what it must hold is the matter of the schema rules. Source: search-stream, section 6. */
export const dataIsJson = defineFramingRule({ id: "stream/data-is-json", counts: "events" });

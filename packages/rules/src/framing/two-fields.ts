import { defineFramingRule } from "../engine/rule.ts";

/** Extra fields, comments, `id` and `retry`, a missing or a repeated field. Source: search-stream, section 6. */
export const twoFields = defineFramingRule({ id: "stream/two-fields", counts: "events" });

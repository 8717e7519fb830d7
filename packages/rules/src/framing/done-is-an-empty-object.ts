import { defineFramingRule } from "../engine/rule.ts";

/** The data of `done` has no members. Source: search-stream, section 6. */
export const doneIsAnEmptyObject = defineFramingRule({ id: "stream/done-is-an-empty-object", counts: "done-events" });

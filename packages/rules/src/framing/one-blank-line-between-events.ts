import { defineFramingRule } from "../engine/rule.ts";

/** One blank line too many or one too few. Source: search-stream, section 6. */
export const oneBlankLineBetweenEvents = defineFramingRule({
  id: "stream/one-blank-line-between-events",
  counts: "events",
});

import { defineFramingRule } from "../engine/rule.ts";

/** A byte order mark would become part of the first field name. Source: search-stream, section 6. */
export const noByteOrderMark = defineFramingRule({ id: "stream/no-byte-order-mark", counts: "streams" });

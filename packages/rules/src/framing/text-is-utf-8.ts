import { defineFramingRule } from "../engine/rule.ts";

/** JSON that systems exchange is UTF-8 (RFC 8259, section 8.1). Source: search-stream, section 6. */
export const textIsUtf8 = defineFramingRule({ id: "stream/text-is-utf-8", counts: "events" });

export * from "./conversation-reader.ts";
export { parseExactly } from "./exact-json.ts";
export * from "./json-value.ts";

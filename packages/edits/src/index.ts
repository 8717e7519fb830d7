export { jsonPointerSpan } from "./json-span.ts";
export type { Span } from "./json-span.ts";
export {
  cutting,
  inserting,
  memberAdded,
  memberRemoved,
  ofOtherType,
  replacing,
  spliced,
  splicedChunks,
  valueReplaced,
  valueSpan,
  valueText,
} from "./splice.ts";
export type { JsonText, Splice } from "./splice.ts";

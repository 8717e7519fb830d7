import { exactDigits } from "@assay/contract";
import { elementsOf, firstMember, member } from "./json-member.ts";

/** A page of a list: the form of lists is not shown, so several are read. */
export interface ListPage {
  readonly entries: readonly unknown[];
  /** What asks for the next page. Absent on the last one, and where none is recognised. */
  readonly cursor?: string;
}

const envelopes = [
  "conversations",
  "conversationSummaries",
  "conversation_summaries",
  "summaries",
  "results",
  "items",
  "data",
] as const;

const cursorNames = {
  legacy: [
    "page_after",
    "pageAfter",
    "next_cursor",
    "nextCursor",
    "end_cursor",
    "endCursor",
    "next_page_token",
    "nextPageToken",
    "next",
    "cursor",
  ],
  current: ["nextPageToken", "next_page_token"],
} as const;

const cursorHolders = ["page_info", "pageInfo", "pagination", "page", "meta"] as const;

/** Longest cursor that is sent back. */
const maxCursorLength = 1000;

const isCursor = (value: unknown): value is string | number =>
  Number.isSafeInteger(value) || (typeof value === "string" && value !== "" && value.length <= maxCursorLength);

const isObject = (value: unknown): boolean => typeof value === "object" && value !== null && !Array.isArray(value);

const isList = (value: unknown): boolean => Array.isArray(value) && value.length > 0 && value.every(isObject);

/** The only member that is an array of objects: how the list is called is left open, so that this is it. */
function onlyList(json: unknown): unknown {
  const [found, ...more] = typeof json === "object" && json !== null ? Object.values(json).filter(isList) : [];
  return more.length === 0 ? found : undefined;
}

/** Reads a page of either interface. Never fails; what is no list is an empty page. */
export function listPage(json: unknown, name: "legacy" | "current"): ListPage {
  const list = Array.isArray(json)
    ? json
    : (envelopes.map((key) => member(json, key)).find((found) => Array.isArray(found)) ?? onlyList(json));
  const holders = [json, ...cursorHolders.map((key) => member(json, key))];
  const hasEnded = holders.some(
    (holder) => firstMember(holder, ["has_next_page", "hasNextPage", "has_more"]) === false,
  );
  const cursor = holders
    .flatMap((holder) => cursorNames[name].map((key) => exactDigits(holder, key) ?? member(holder, key)))
    .find(isCursor);
  return { entries: elementsOf(list), ...(cursor === undefined || hasEnded ? {} : { cursor: String(cursor) }) };
}

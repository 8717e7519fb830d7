import { isRecord, member } from "../../engine/json-value.ts";
import type { ConversationCall } from "./conversation-call.ts";
import { currentConversation } from "./current-view.ts";
import type { ConversationView } from "./conversation-view.ts";
import { idMember } from "./identifier.ts";
import { legacyConversation } from "./legacy-view.ts";

/** A list in any of the forms that are accepted. */
export interface ListView {
  /** Elements that are objects; `questions` and times are there as far as the entries have them. */
  readonly entries: readonly ConversationView[];
  /** What asks for the next page; absent on the last one, and where none is recognised. */
  readonly cursor?: string;
  /** Name of the member that holds the entries; absent where the body is the array itself, or holds nothing. */
  readonly envelope?: string;
}

const envelopes = {
  legacy: ["conversations", "results", "items", "data"],
  current: [
    "conversationSummaries",
    "conversation_summaries",
    "conversations",
    "summaries",
    "results",
    "items",
    "data",
  ],
} as const;

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

/** Objects in which a cursor may stand, besides the body itself. */
const cursorHolders = ["page_info", "pageInfo", "pagination", "page", "meta"] as const;

const known = new WeakMap<ConversationCall, ListView | "none">();

/** The list that an answer is, or nothing where none is recognised: the forms of both are not shown. Read once. */
export function listView(call: ConversationCall): ListView | undefined {
  const view = known.get(call) ?? readList(call) ?? "none";
  known.set(call, view);
  return view === "none" ? undefined : view;
}

function readList({ interface: name, operation, answer }: ConversationCall): ListView | undefined {
  if (operation !== "list" || answer.kind !== "success") {
    return undefined;
  }
  const { json } = answer;
  const found = entriesIn(json, name);
  if (found === undefined) {
    return undefined;
  }
  const read = name === "legacy" ? legacyConversation : currentConversation;
  const base = found.envelope === undefined ? "" : `/${found.envelope}`;
  const cursor = cursorIn(json, name);
  return {
    entries: found.list.flatMap((entry, index) => (isRecord(entry) ? [read(entry, `${base}/${index}`)] : [])),
    ...(cursor === undefined ? {} : { cursor }),
    ...(found.envelope === undefined ? {} : { envelope: found.envelope }),
  };
}

const isList = (value: unknown): boolean => Array.isArray(value) && value.length > 0 && value.every(isRecord);

/** The only member that is an array of objects: how the list is called is left open, so that this is it. */
function onlyList(json: unknown): string | undefined {
  const [found, ...more] = isRecord(json) ? Object.keys(json).filter((key) => isList(json[key])) : [];
  return more.length === 0 ? found : undefined;
}

interface Entries {
  readonly list: readonly unknown[];
  readonly envelope?: string;
}

function entriesIn(json: unknown, name: "legacy" | "current"): Entries | undefined {
  if (Array.isArray(json)) {
    return { list: json };
  }
  const envelope = envelopes[name].find((key) => Array.isArray(member(json, key))) ?? onlyList(json);
  const list: unknown = envelope === undefined ? undefined : member(json, envelope);
  if (envelope !== undefined && Array.isArray(list)) {
    return { list, envelope };
  }
  const values = isRecord(json) ? Object.values(json) : [json];
  return values.every((value) => isNothing(value)) ? { list: [] } : undefined;
}

/** What holds nothing: in whichever form lists come, no conversation is in it. */
const isNothing = (value: unknown): boolean =>
  (Array.isArray(value) && value.length === 0) ||
  (isRecord(value) && Object.keys(value).length === 0) ||
  value === null ||
  value === "" ||
  value === false ||
  value === 0;

function cursorIn(json: unknown, name: "legacy" | "current"): string | undefined {
  const holders = [json, ...cursorHolders.map((key) => member(json, key))];
  const hasEnded = holders.some((holder) =>
    ["has_next_page", "hasNextPage", "has_more"].some((key) => member(holder, key) === false),
  );
  const [cursor] = hasEnded
    ? []
    : holders.flatMap((holder) => cursorNames[name].flatMap((key) => idMember(holder, key) ?? []));
  return cursor;
}

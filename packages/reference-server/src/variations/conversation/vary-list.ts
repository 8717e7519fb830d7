import { without } from "../../faults/event-transforms.ts";
import { isPayloadArray, isPayloadObject, type PayloadObject } from "../../payload.ts";
import { withAddedMembers } from "../added-members.ts";
import type { Dice } from "../dice.ts";
import type { AnswerVariation } from "./answer-habits.ts";

/** In which members lists and cursors stand. */
interface ListNames {
  readonly envelopes: readonly [string, ...string[]];
  readonly cursors: readonly [string, ...string[]];
}

const holders = ["page_info", "pageInfo", "pagination", "page", "meta"] as const;

/** Names by which lists and their cursors are known; the first ones are those that the server uses by itself. */
export const listNames = {
  legacy: {
    envelopes: ["conversations", "results", "items", "data"],
    cursors: [
      "next_cursor",
      "nextCursor",
      "page_after",
      "pageAfter",
      "end_cursor",
      "endCursor",
      "next_page_token",
      "next",
      "cursor",
    ],
  },
  current: {
    envelopes: [
      "conversation_summaries",
      "conversationSummaries",
      "conversations",
      "summaries",
      "results",
      "items",
      "data",
    ],
    cursors: ["next_page_token", "nextPageToken"],
  },
} as const satisfies Record<"legacy" | "current", ListNames>;

/** Members of a listed conversation that other entries may lack; what tells which it is stays. */
const dispensable = ["questions", "viewer", "share_url", "title", "url"] as const;

const varyEntry = (entry: unknown, { dice, habits }: AnswerVariation): unknown => {
  if (!isPayloadObject(entry)) {
    return entry;
  }
  const name = dice.pick(dispensable);
  const other = dice.chance(habits.otherOptionals) ? without(entry, name) : entry;
  return withAddedMembers(other, dice, habits.addedMembers);
};

const cursorMembers = (cursor: unknown, names: ListNames, dice: Dice): PayloadObject => {
  if (typeof cursor !== "string" || cursor === "") {
    const nothing = dice.pick<PayloadObject>([
      {},
      { [names.cursors[0]]: null },
      { [names.cursors[0]]: "" },
      { has_more: false },
    ]);
    return nothing;
  }
  const member = { [dice.pick(names.cursors)]: cursor };
  return dice.chance(0.3) ? { [dice.pick(holders)]: { ...member, has_next_page: true } } : member;
};

/** A list taken apart. */
interface FoundList {
  readonly envelope: string;
  readonly entries: readonly unknown[];
  readonly cursor: unknown;
  /** What is there besides. */
  readonly rest: PayloadObject;
}

const findList = (json: unknown, names: ListNames): FoundList | undefined => {
  if (!isPayloadObject(json)) {
    return undefined;
  }
  const envelope = names.envelopes.find((key) => isPayloadArray(json[key]));
  const entries = envelope === undefined ? undefined : json[envelope];
  if (envelope === undefined || !isPayloadArray(entries)) {
    return undefined;
  }
  const cursorName = names.cursors.find((key) => key in json);
  const rest = without(json, envelope);
  return cursorName === undefined
    ? { envelope, entries, cursor: undefined, rest }
    : { envelope, entries, cursor: json[cursorName], rest: without(rest, cursorName) };
};

/** Another legal form of a list: in another member, or bare; a cursor that was there is found by one of its names. */
export const varyList = (json: unknown, name: "legacy" | "current", variation: AnswerVariation): unknown => {
  const { dice, habits } = variation;
  const names: ListNames = listNames[name];
  const found = findList(json, names);
  if (found === undefined) {
    return json;
  }
  const { cursor, entries, envelope, rest } = found;
  const varied = entries.map((entry) => varyEntry(entry, variation));
  if (!dice.chance(habits.otherForms)) {
    return withAddedMembers({ ...Object(json), [envelope]: varied }, dice, habits.addedMembers);
  }
  // An array has no place for a cursor; in the current interface messages are objects.
  if (name === "legacy" && cursor === undefined && dice.chance(0.3)) {
    return varied;
  }
  const body = { ...rest, [dice.pick(names.envelopes)]: varied, ...cursorMembers(cursor, names, dice) };
  return withAddedMembers(body, dice, habits.addedMembers);
};

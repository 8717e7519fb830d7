import { listEntries, findEntriesMember, envelopeNames } from "../../faults/conversation/conversation-parts.ts";
import { without } from "../../faults/event-transforms.ts";
import { isPayloadObject, type PayloadObject } from "../../service/payload.ts";
import { withAddedMembers } from "../added-members.ts";
import type { Dice } from "../dice.ts";
import type { AnswerVariation } from "./answer-habits.ts";

/** Names of the members that contain entries and cursor. */
interface ListNames {
  readonly envelopeNames: readonly [string, ...string[]];
  readonly cursors: readonly [string, ...string[]];
}

const cursorHolders = ["page_info", "pageInfo", "pagination", "page", "meta"] as const;

/** Known names for entries and cursor. The server itself uses the first ones. */
export const listNames = {
  legacy: {
    envelopeNames: ["conversations", "results", "items", "data"],
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
  current: { envelopeNames, cursors: ["next_page_token", "nextPageToken"] },
} as const satisfies Record<"legacy" | "current", ListNames>;

/** Optional members of a listed conversation. Its identifier is required. */
const optionalEntryMembers = ["questions", "viewer", "share_url", "title", "url"] as const;

const varyEntry = (entry: unknown, { dice, habits }: AnswerVariation): unknown => {
  if (!isPayloadObject(entry)) {
    return entry;
  }
  const name = dice.pick(optionalEntryMembers);
  const changedEntry = dice.chance(habits.otherOptionalProbability) ? without(entry, name) : entry;
  return withAddedMembers(changedEntry, dice, habits.addedMemberProbability);
};

const cursorMembers = (cursor: unknown, names: ListNames, dice: Dice): PayloadObject => {
  if (typeof cursor !== "string" || cursor === "") {
    const [cursorName] = names.cursors;
    return dice.pick<PayloadObject>([{}, { [cursorName]: null }, { [cursorName]: "" }, { has_more: false }]);
  }
  const member = { [dice.pick(names.cursors)]: cursor };
  return dice.chance(0.3) ? { [dice.pick(cursorHolders)]: { ...member, has_next_page: true } } : member;
};

/** Varies the form of a list: a different member, or a bare array. A cursor keeps one of its known names. */
export const varyList = (json: unknown, name: "legacy" | "current", variation: AnswerVariation): unknown => {
  const { dice, habits } = variation;
  const names: ListNames = listNames[name];
  const envelope = isPayloadObject(json) ? findEntriesMember(json) : undefined;
  if (!isPayloadObject(json) || envelope === undefined) {
    return json;
  }
  const variedEntries = listEntries(json).map((entry) => varyEntry(entry, variation));
  if (!dice.chance(habits.otherFormProbability)) {
    return withAddedMembers({ ...json, [envelope]: variedEntries }, dice, habits.addedMemberProbability);
  }
  const cursorName = names.cursors.find((key) => key in json) ?? "";
  const cursor = json[cursorName];
  // An array cannot contain a cursor, and messages of the current interface are objects.
  if (name === "legacy" && cursor === undefined && dice.chance(0.3)) {
    return variedEntries;
  }
  const otherMembers = [envelope, cursorName].reduce(without, json);
  const body = {
    ...otherMembers,
    [dice.pick(names.envelopeNames)]: variedEntries,
    ...cursorMembers(cursor, names, dice),
  };
  return withAddedMembers(body, dice, habits.addedMemberProbability);
};

import { isPayloadArray, type PayloadObject } from "../../payload.ts";

/** Members in which a list of either interface may hold its entries. */
const envelopes = [
  "conversations",
  "conversationSummaries",
  "conversation_summaries",
  "summaries",
  "results",
  "items",
  "data",
];

/** The member that holds the entries of a list; undefined where there is none, as when a list is empty. */
export const envelopeOf = (json: PayloadObject): string | undefined =>
  envelopes.find((name) => isPayloadArray(json[name]));

/** A list with other entries; whatever holds none stays as it is. */
export const changeEntries = (
  json: PayloadObject,
  change: (entries: readonly unknown[]) => readonly unknown[],
): PayloadObject => {
  const name = envelopeOf(json);
  const entries = name === undefined ? undefined : json[name];
  return name === undefined || !isPayloadArray(entries) ? json : { ...json, [name]: change(entries) };
};

/** Answers to a list that show nobody's conversations: an empty list, `null` in its place, no member for it. */
export const emptyLists: Readonly<Record<"none" | "null" | "no-member", (json: PayloadObject) => PayloadObject>> = {
  none: (json) => changeEntries(json, () => []),
  null: (json) => ({ ...json, [envelopeOf(json) ?? "conversations"]: null }),
  "no-member": (json) => {
    const { [envelopeOf(json) ?? ""]: _list, ...rest } = json;
    return rest;
  },
};

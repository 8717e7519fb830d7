import { isPayloadArray } from "../payload.ts";
import type { SearchEvent } from "../stream/search-event.ts";
import { withAddedMembers } from "./added-members.ts";
import type { Dice } from "./dice.ts";
import type { ServerHabits } from "./server-habits.ts";
import { varyMatch } from "./vary-match.ts";
import { varyProgress } from "./vary-progress.ts";

/** How the payloads of one stream are varied. */
export interface PayloadVariation {
  readonly dice: Dice;
  readonly habits: ServerHabits;
  /** Another form for each list of filters, in their order. */
  readonly varyFilters: (list: readonly unknown[]) => readonly unknown[];
  /** How often an object gets a member more. */
  readonly addedMembers: number;
}

const otherForm = ({ data, name }: SearchEvent, variation: PayloadVariation): unknown => {
  if (name === "progress") {
    return varyProgress(data, variation);
  }
  if (name === "matches" && isPayloadArray(data)) {
    return data.map((match) => varyMatch(match, variation));
  }
  return name === "filters" && isPayloadArray(data) ? variation.varyFilters(data) : data;
};

/** Another legal payload for the same event. The data of `done` is closed and stays. Source: search-stream, sections 2 and 6. */
export const varyPayload = (event: SearchEvent, variation: PayloadVariation): SearchEvent =>
  event.name === "done"
    ? event
    : {
        name: event.name,
        data: withAddedMembers(otherForm(event, variation), variation.dice, variation.addedMembers),
      };

import { without } from "../faults/event-transforms.ts";
import type { PayloadObject } from "../service/payload.ts";
import type { Dice } from "./dice.ts";

/** Optional members, with alternative values. */
export type OptionalMembers = Readonly<Record<string, readonly unknown[]>>;

/** Omits, changes or adds optional members. Source: search-stream, section 2. */
export const varyOptionalMembers = (data: PayloadObject, optionals: OptionalMembers, dice: Dice): PayloadObject => {
  let result = data;
  for (const [name, others] of Object.entries(optionals)) {
    if (dice.chance(0.2)) {
      const choice = dice.integer(0, others.length);
      result = choice === 0 ? without(result, name) : { ...result, [name]: others[choice - 1] };
    }
  }
  return result;
};

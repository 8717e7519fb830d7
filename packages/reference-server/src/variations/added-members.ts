import { isPayloadArray, isPayloadObject } from "../service/payload.ts";
import type { Dice } from "./dice.ts";

/** Names that no documented object has; some are names that every object inherits in careless programs. */
const names = [
  "addedLater",
  "x-note",
  "__proto__",
  "constructor",
  "toString",
  "hasOwnProperty",
  "ключ",
  "",
  "$ref",
] as const;

const nested = (depth: number): unknown => (depth === 0 ? [] : [nested(depth - 1)]);

const values = [
  null,
  true,
  -0.5,
  1e21,
  "",
  "a text\u{2028} with \u{1f600}, \u{0} and </script>\n",
  "x".repeat(3000),
  {},
  { done: true, type: "content", message: ["nobody listed this"] },
  nested(24),
] as const;

/** One more member at its end, under a name the object does not have yet. */
const withOneMore = (members: readonly (readonly [string, unknown])[], dice: Dice): typeof members => {
  const name = dice.pick(names);
  const value = dice.pick<unknown>(values);
  return members.some(([taken]) => taken === name) ? members : [...members, [name, value]];
};

/**
 * A payload in which objects, at any depth, may have a member more than before and their members in another order. Arrays
 * keep their elements and the order of these.
 */
export const withAddedMembers = (value: unknown, dice: Dice, probability: number): unknown => {
  if (isPayloadArray(value)) {
    return value.map((element) => withAddedMembers(element, dice, probability));
  }
  if (!isPayloadObject(value)) {
    return value;
  }
  const members = Object.entries(value).map(
    ([name, member]) => [name, withAddedMembers(member, dice, probability)] as const,
  );
  const more = dice.chance(probability) ? withOneMore(members, dice) : members;
  return Object.fromEntries(dice.chance(0.2) ? dice.shuffled(more) : more);
};

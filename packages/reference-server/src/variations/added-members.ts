import { isPayloadArray, isPayloadObject } from "../service/payload.ts";
import type { Dice } from "./dice.ts";

/** Undocumented member names. Every JavaScript object inherits some of them. */
const addedNames = [
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

const nestArrays = (depth: number): unknown => (depth === 0 ? [] : [nestArrays(depth - 1)]);

const addedValues = [
  null,
  true,
  -0.5,
  1e21,
  "",
  "a text\u{2028} with \u{1f600}, \u{0} and </script>\n",
  "x".repeat(3000),
  {},
  { done: true, type: "content", message: ["nobody listed this"] },
  nestArrays(24),
] as const;

/** Adds a member with an unused name. */
const withOneMoreMember = (members: readonly (readonly [string, unknown])[], dice: Dice): typeof members => {
  const name = dice.pick(addedNames);
  const value = dice.pick<unknown>(addedValues);
  return members.some(([taken]) => taken === name) ? members : [...members, [name, value]];
};

/** Randomly adds members to objects at any depth and reorders members. Arrays are unchanged. */
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
  const changedMembers = dice.chance(probability) ? withOneMoreMember(members, dice) : members;
  return Object.fromEntries(dice.chance(0.2) ? dice.shuffle(changedMembers) : changedMembers);
};

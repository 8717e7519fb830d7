import type { PayloadObject } from "../service/payload.ts";
import { changedElements, without } from "./event-transforms.ts";
import type { Variants } from "./fault.ts";

/** Changes an object so that it violates its schema. The object is unchanged if it returns undefined. */
export type JsonMutation = (data: PayloadObject) => unknown;

export const identity = <Value>(value: Value): Value => value;

/** Removes a member. */
export const withoutMember =
  (member: string): JsonMutation =>
  (data) =>
    without(data, member);

/** Sets a member. */
export const withMember =
  (member: string, value: unknown): JsonMutation =>
  (data) => ({ ...data, [member]: value });

/** Adds to a numeric member. */
export const addToMember =
  (member: string, addend: number): JsonMutation =>
  (data) => ({ ...data, [member]: Number(data[member]) + addend });

/** Replaces a member with its JSON text. An absent member becomes a number in a string. */
export const stringifyMember =
  (member: string): JsonMutation =>
  (data) => ({ ...data, [member]: JSON.stringify(data[member]) ?? "1" });

/** Replaces the whole object. */
export const replaceWith =
  (value: unknown): JsonMutation =>
  () =>
    value;

/** Mutates only selected objects. */
export const mutateIf =
  (isSelected: (data: PayloadObject) => boolean, mutate: JsonMutation): JsonMutation =>
  (data) =>
    isSelected(data) ? mutate(data) : undefined;

/** Mutates the objects in a list member. Returns undefined if there are none. */
export const mutateEachIn =
  (member: string, mutate: JsonMutation): JsonMutation =>
  (data) => {
    const list = changedElements(data[member], mutate);
    return list === undefined ? undefined : { ...data, [member]: list };
  };

/** Ways to make a member invalid. */
const mutationsByKind = {
  missing: withoutMember,
  null: (member) => withMember(member, null),
  text: stringifyMember,
  number: (member) => withMember(member, 1_700_000_000),
  object: (member) => (data) => ({ ...data, [member]: { text: data[member] } }),
  /** Subtracts 0.5. The result is still a number, and no later value is smaller. */
  half: (member) => addToMember(member, -0.5),
  negative: (member) => withMember(member, -1),
} as const satisfies Record<string, (member: string) => JsonMutation>;

type Kind = keyof typeof mutationsByKind;

const toKebabCase = (member: string): string =>
  member.replaceAll("_", "-").replaceAll(/[A-Z]+/gu, (letters) => `-${letters.toLowerCase()}`);

/**
 * Returns one variant for each member and kind of invalid value, named after both, such as `created-at-missing`. `names` overrides the
 * name of a member.
 */
export const invalidValues = <Variant>(
  createVariant: (mutate: JsonMutation) => Variant,
  kindsByMember: Readonly<Record<string, readonly Kind[]>>,
  names: Readonly<Record<string, string>> = {},
): Variants<Variant> =>
  Object.fromEntries(
    Object.entries(kindsByMember).flatMap(([member, kinds]) =>
      kinds.map((kind) => [
        `${names[member] ?? toKebabCase(member)}-${kind}`,
        createVariant(mutationsByKind[kind](member)),
      ]),
    ),
  );

import type { PayloadObject } from "../service/payload.ts";
import { changedElements, without } from "./event-transforms.ts";
import type { Variants } from "./fault.ts";

/** Makes something of an object that does not fit its schema. */
export type Spoil = (data: PayloadObject) => unknown;

/** The same again. */
export const asItIs = <Value>(value: Value): Value => value;

/** The object without a member. */
export const lacking =
  (member: string): Spoil =>
  (data) =>
    without(data, member);

/** The object with another value of a member, whether it had one or not. */
export const having =
  (member: string, value: unknown): Spoil =>
  (data) => ({ ...data, [member]: value });

/** The object with more, or less, in a member that is a number. */
export const plus =
  (member: string, by: number): Spoil =>
  (data) => ({ ...data, [member]: Number(data[member]) + by });

/** The object with the text of a member in its place; of one that it lacks, with a number as text. */
export const asText =
  (member: string): Spoil =>
  (data) => ({ ...data, [member]: JSON.stringify(data[member]) ?? "1" });

/** Something else in the place of the object. */
export const replacedBy =
  (value: unknown): Spoil =>
  () =>
    value;

/** Objects of which something is true, spoilt; others are left. */
export const where =
  (isMeant: (data: PayloadObject) => boolean, spoil: Spoil): Spoil =>
  (data) =>
    isMeant(data) ? spoil(data) : undefined;

/** The object with the objects in a list of it spoilt; left where there are none. */
export const eachIn =
  (member: string, spoil: Spoil): Spoil =>
  (data) => {
    const list = changedElements(data[member], spoil);
    return list === undefined ? undefined : { ...data, [member]: list };
  };

/** What stands where a member of another kind belongs. */
const kinds = {
  missing: lacking,
  null: (member) => having(member, null),
  text: asText,
  number: (member) => having(member, 1_700_000_000),
  object: (member) => (data) => ({ ...data, [member]: { text: data[member] } }),
  /** Smaller by one half: still a number, and none that comes later is smaller. */
  half: (member) => plus(member, -0.5),
  negative: (member) => having(member, -1),
} as const satisfies Record<string, (member: string) => Spoil>;

type Kind = keyof typeof kinds;

const kebab = (member: string): string =>
  member.replaceAll("_", "-").replaceAll(/[A-Z]+/gu, (letters) => `-${letters.toLowerCase()}`);

/**
 * What is made of objects whose members are of such kinds; each is named after both, as `created-at-missing`. Members may have
 * other names there.
 */
export const misfits = <Made>(
  make: (spoil: Spoil) => Made,
  members: Readonly<Record<string, readonly Kind[]>>,
  names: Readonly<Record<string, string>> = {},
): Variants<Made> =>
  Object.fromEntries(
    Object.entries(members).flatMap(([member, found]) =>
      found.map((kind) => [`${names[member] ?? kebab(member)}-${kind}`, make(kinds[kind](member))]),
    ),
  );

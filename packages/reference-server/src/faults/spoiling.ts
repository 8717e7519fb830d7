import type { PayloadObject } from "../payload.ts";
import { without } from "./event-transforms.ts";
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

/** The object with a member that is smaller by one half: still a number, and none that comes later is smaller. */
export const halved =
  (member: string): Spoil =>
  (data) => ({ ...data, [member]: Number(data[member]) - 0.5 });

/** Something else in the place of the object. */
export const replacedBy =
  (value: unknown): Spoil =>
  () =>
    value;

/** What stands where a member of another kind belongs. */
const kinds = {
  missing: lacking,
  null: (member) => having(member, null),
  text: (member) => (data) => ({ ...data, [member]: String(data[member]) }),
  number: (member) => having(member, 1_700_000_000),
  object: (member) => (data) => ({ ...data, [member]: { text: data[member] } }),
} as const satisfies Record<string, (member: string) => Spoil>;

type Kind = keyof typeof kinds;

/** What is made of objects whose members are of such kinds; each is named after both, as `created-at-missing`. */
export const misfits = <Made>(
  make: (spoil: Spoil) => Made,
  members: Readonly<Record<string, readonly Kind[]>>,
): Variants<Made> =>
  Object.fromEntries(
    Object.entries(members).flatMap(([member, found]) =>
      found.map((kind) => [`${member.replaceAll("_", "-")}-${kind}`, make(kinds[kind](member))]),
    ),
  );

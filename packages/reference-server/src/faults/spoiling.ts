import type { PayloadObject } from "../payload.ts";
import { without } from "./event-transforms.ts";

/** Makes something of an object that does not fit its schema. */
export type Spoil = (data: PayloadObject) => unknown;

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

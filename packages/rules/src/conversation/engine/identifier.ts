import { exactDigits } from "@assay/contract";
import { member } from "../../engine/json-value.ts";

/** Longest identifier that is compared; no instance has one of a fraction of this length. */
const maxIdentifierLength = 1_000;

/**
 * A numeric id, or a text in its place, as text. Nothing for what is neither, and for numbers so large that JSON readers
 * round them: of those `idMember` knows the digits.
 */
export function idText(value: unknown): string | undefined {
  if (typeof value === "string") {
    return value === "" || value.length > maxIdentifierLength ? undefined : value;
  }
  return Number.isSafeInteger(value) ? String(value) : undefined;
}

/** The id that is a member of an object, as text, however large it is; nothing for what is none. */
export function idMember(holder: unknown, name: string): string | undefined {
  const digits = exactDigits(holder, name);
  return idText(digits ?? member(holder, name));
}

/** The parts of a name `users/<user>/conversations/<conversation>`, or nothing for a name of another form. */
export function conversationName(name: string): { readonly user: string; readonly conversation: string } | undefined {
  const [, user, conversation] = /^users\/([^/\s]+)\/conversations\/([^/\s]+)$/.exec(name) ?? [];
  return user === undefined || conversation === undefined ? undefined : { user, conversation };
}

/** The last part of a resource name, whatever its form; nothing where that is empty. */
export const lastPart = (name: string): string | undefined => idText(name.slice(name.lastIndexOf("/") + 1));

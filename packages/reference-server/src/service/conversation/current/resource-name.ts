import type { Caller } from "../api/api-access.ts";

/** A parsed resource name. */
export type NameResult =
  | { readonly ok: true; readonly id: number }
  | { readonly ok: false; readonly reason: "malformed" | "unknown" };

/** Reports whether a segment refers to the caller: `~self`, `-` or the caller's own id. */
const isSelf = (segment: string, { userId }: Caller): boolean =>
  segment === "~self" || segment === "-" || segment === String(userId);

/** Returns the id in the name of a conversation of any user, or undefined for any other string. */
export const parseConversationName = (name: unknown): number | undefined => {
  const id = typeof name === "string" ? /^users\/[^/]+\/conversations\/([1-9]\d{0,14})$/u.exec(name)?.[1] : undefined;
  return id === undefined ? undefined : Number(id);
};

/** Parses `users/<user>/conversations/<id>`. Conversations in names of other users are unknown. */
export const readConversationName = (name: unknown, caller: Caller): NameResult => {
  const parts = typeof name === "string" ? /^users\/([^/]+)\/conversations\/[^/]+$/u.exec(name) : null;
  if (parts === null) {
    return { ok: false, reason: "malformed" };
  }
  const id = parseConversationName(name);
  return id === undefined || !isSelf(parts[1] ?? "", caller) ? { ok: false, reason: "unknown" } : { ok: true, id };
};

/** Reports whether a parent is the caller: it is absent, or `users/` and a segment that refers to the caller. */
export const isOwnParent = (parent: unknown, caller: Caller): boolean =>
  parent === undefined ||
  parent === null ||
  parent === "" ||
  (typeof parent === "string" && parent.startsWith("users/") && isSelf(parent.slice("users/".length), caller));

import { copiedText } from "./excerpt.ts";
import { textDigest } from "./text-digest.ts";

/** The id or the text of a question, as a member of a list. */
export interface Member {
  readonly digest: number;
  readonly text: string;
}

const maxCharacters = 256;

/**
 * The member of a text: the one known before if it has the same text, for to compare is faster than to go through it. Of a
 * short text a copy is kept, so that it can be known again; a long one is not kept.
 */
export function memberOf(known: Member | undefined, text: string): Member {
  if (known?.text === text) {
    return known;
  }
  const digest = textDigest(text);
  return { digest, text: text.length > maxCharacters ? text : copiedText(text) };
}

/** What may be remembered of a member for the next time. */
export const rememberable = (member: Member): Member | undefined =>
  member.text.length > maxCharacters ? undefined : member;

import { textDigest } from "./text-digest.ts";

/** What remembers the text it was last seen with, for as long as it is among the recent ones. */
export interface TextHolder {
  recentText: string | undefined;
  recentDigest: number;
}

const maxHolders = 256;
const maxCharacters = 64 * 1024;

/**
 * Digests of texts that are mostly the same as the time before: to compare a text with another is ten times faster than to go
 * through it. At most 256 texts of at most 64 Ki characters are remembered, whatever the number of holders.
 */
export function createRecentTexts(): (holder: TextHolder, text: string) => number {
  const holders: (TextHolder | undefined)[] = Array.from({ length: maxHolders }, () => undefined);
  let next = 0;
  return (holder, text) => {
    if (text === holder.recentText) {
      return holder.recentDigest;
    }
    const digest = textDigest(text);
    if (holder.recentText === undefined && text.length <= maxCharacters) {
      const oldest = holders[next];
      if (oldest !== undefined) {
        oldest.recentText = undefined;
      }
      holders[next] = holder;
      next = (next + 1) % maxHolders;
    }
    holder.recentText = text.length <= maxCharacters ? text : undefined;
    holder.recentDigest = digest;
    return digest;
  };
}

import { readFileSync } from "node:fs";

/** Lists of known failures that come with the tool. `field`: where real instances differ from the words of the document. */
export const shippedListNames = ["field"] as const;
export type ShippedListName = (typeof shippedListNames)[number];

/** Whether a word names a list that comes with the tool. */
export const isShippedListName = (word: string): word is ShippedListName =>
  (shippedListNames as readonly string[]).includes(word);

/** The text of a list that comes with the tool, for keeping it beside the evidence it is applied to. */
export const shippedKnownFailuresText = (name: ShippedListName): string =>
  readFileSync(new URL(`../../known-failures/${name}.txt`, import.meta.url), "utf8");

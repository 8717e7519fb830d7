import { readFileSync } from "node:fs";

/** Lists of known failures shipped with the tool. `field` lists differences between real instances and the specification. */
export const shippedListNames = ["field"] as const;
export type ShippedListName = (typeof shippedListNames)[number];

/** Reports whether a word is the name of a shipped list. */
export const isShippedListName = (word: string): word is ShippedListName =>
  (shippedListNames as readonly string[]).includes(word);

/** Returns the text of a shipped list, which is stored with the evidence that it is applied to. */
export const shippedKnownFailuresText = (name: ShippedListName): string =>
  readFileSync(new URL(`../../known-failures/${name}.txt`, import.meta.url), "utf8");

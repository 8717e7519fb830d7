import { readFileSync } from "node:fs";

/** Lists of known failures shipped with the tool. `field`: where real instances differ from the specification. */
export const shippedListNames = ["field"] as const;
export type ShippedListName = (typeof shippedListNames)[number];

/** True for the name of a shipped list. */
export const isShippedListName = (word: string): word is ShippedListName =>
  (shippedListNames as readonly string[]).includes(word);

/** The text of a shipped list, stored with the evidence it is applied to. */
export const shippedKnownFailuresText = (name: ShippedListName): string =>
  readFileSync(new URL(`../../known-failures/${name}.txt`, import.meta.url), "utf8");

import { readFileSync } from "node:fs";
import type { KnownFailureList } from "./known-failure-entry.ts";
import { parseKnownFailures } from "./parse-known-failures.ts";

/** Lists of known failures that come with the tool. `field`: where real instances differ from the words of the document. */
export const shippedListNames = ["field"] as const;
export type ShippedListName = (typeof shippedListNames)[number];

/** Whether a word names a list that comes with the tool. */
export const isShippedListName = (word: string): word is ShippedListName =>
  (shippedListNames as readonly string[]).includes(word);

/** The text of a list that comes with the tool, for keeping it beside the evidence it is applied to. */
export const shippedKnownFailuresText = (name: ShippedListName): string =>
  readFileSync(new URL(`../../known-failures/${name}.txt`, import.meta.url), "utf8");

/**
 * A list that comes with the tool. Its entries have no expiry date: they tell of other people's software in general, and a
 * date would turn the runs of an older version of the tool red one morning although no target had changed.
 */
export const shippedKnownFailures = (name: ShippedListName): KnownFailureList =>
  parseKnownFailures(shippedKnownFailuresText(name), name, { isShipped: true });

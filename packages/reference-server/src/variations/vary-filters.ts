import { isPayloadObject } from "../payload.ts";
import type { SearchEvent } from "../stream/search-event.ts";
import type { Dice } from "./dice.ts";

const kinds = ["utility", "type", "lang", "repo", "file", "symbol type", "author", "topic", ""] as const;

const language = 'lang:"jupyter notebook"';

/** A language that counts everything keeps no more than was found; what adds to a search may count as much as there is. */
const newEntry = (dice: Dice): object => {
  const value = dice.pick(["archived:yes", language, String.raw`-file:_test\.\w+$`]);
  const exhaustive = dice.chance(0.5);
  return {
    value,
    label: dice.pick(["Include archived repos", "<b>Jupyter</b> \u{1f600}", ""]),
    count: dice.pick(value === language && exhaustive ? [0, 1] : [0, 1, 2_000_000_000]),
    exhaustive,
    kind: dice.pick(kinds),
  };
};

const otherKind = (entry: unknown, dice: Dice): unknown =>
  isPayloadObject(entry) && dice.chance(0.1) ? { ...entry, kind: dice.pick(kinds) } : entry;

const valueOf = (entry: unknown): unknown => (isPayloadObject(entry) ? entry["value"] : undefined);

/**
 * Puts the lists of one stream into another legal form: other kinds, another order, entries more or less. What was in one of
 * them stays in all that follow. Source: search-stream, sections 2.1 and 6.
 */
export const createFilterVariation = (dice: Dice): ((list: readonly unknown[]) => readonly unknown[]) => {
  const sent = new Map<unknown, unknown>();
  return (list) => {
    const kept = dice.chance(0.2) ? list.slice(dice.whole(0, list.length)) : list;
    const more = dice.chance(0.2) ? [...kept, newEntry(dice)] : kept;
    const here = new Set(more.map(valueOf));
    const all = [...more, ...[...sent].filter(([value]) => !here.has(value)).map(([, entry]) => entry)];
    all.forEach((entry) => sent.set(valueOf(entry), entry));
    const ordered = dice.chance(0.2) ? dice.shuffled(all) : all;
    return ordered.map((entry) => otherKind(entry, dice));
  };
};

/** One `filters` event as several, each with more entries than the one before. Source: search-stream, section 6. */
export const growing = (list: readonly unknown[], dice: Dice): readonly SearchEvent[] => {
  const steps = dice.chance(0.3) ? dice.whole(1, 3) : 0;
  const sizes = Array.from({ length: steps }, () => dice.whole(0, list.length)).toSorted((one, other) => one - other);
  return [...sizes, list.length].map((size) => ({ name: "filters", data: list.slice(0, size) }));
};

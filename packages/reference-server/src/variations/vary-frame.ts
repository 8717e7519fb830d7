import type { SearchEvent } from "../stream/search-event.ts";
import { frameOf } from "../stream/frame.ts";
import type { Random } from "../seeded-random.ts";
import { createDice } from "./dice.ts";

const plainJson = (data: unknown): string => JSON.stringify(data) ?? "null";

/** Line breaks of an indented text stand between tokens only: inside strings they are escaped. */
const spacedJson = (data: unknown): string => (JSON.stringify(data, null, 1) ?? "null").replaceAll(/\n */gu, " ");

const asciiJson = (data: unknown): string =>
  plainJson(data).replaceAll(/[^ -~]/gu, (character) =>
    // One escape for each half of a pair.
    [...Array(character.length).keys()]
      .map((index) => String.raw`\u${character.charCodeAt(index).toString(16).padStart(4, "0")}`)
      .join(""),
  );

const goJson = (event: SearchEvent): string =>
  frameOf(event).bytes.toString("utf8").slice(`event: ${event.name}\ndata: `.length, -2);

/**
 * Writes events as bytes in one of the forms that the document permits: either field first, with or without a space after the
 * colon, and any JSON on one line. One stream may keep to a form or change it. Source: search-stream, section 6.
 */
export const createFrameVariation = (random: Random): ((event: SearchEvent) => Buffer) => {
  const dice = createDice(random);
  const [dataFirst, noSpace, otherJson] = [
    dice.pick([0, 0, 0.5, 1]),
    dice.pick([0, 0, 0.5, 1]),
    dice.pick([0, 0.5, 1]),
  ];
  const jsonOf = (event: SearchEvent): string => {
    const write = dice.pick([plainJson, spacedJson, asciiJson]);
    return dice.chance(otherJson) ? write(event.data) : goJson(event);
  };
  return (event) => {
    const json = jsonOf(event);
    const space = (): string => (dice.chance(noSpace) ? "" : " ");
    const lines = [`event:${space()}${event.name}`, `data:${space()}${json}`];
    return Buffer.from(`${(dice.chance(dataFirst) ? lines.toReversed() : lines).join("\n")}\n\n`);
  };
};

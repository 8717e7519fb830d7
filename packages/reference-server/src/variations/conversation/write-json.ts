import type { Dice } from "../dice.ts";

const plainJson = (json: unknown): string => JSON.stringify(json) ?? "null";

const asciiJson = (json: unknown): string =>
  plainJson(json).replaceAll(/[^ -~]/gu, (character) =>
    // One escape for each half of a pair.
    [...Array(character.length).keys()]
      .map((index) => String.raw`\u${character.charCodeAt(index).toString(16).padStart(4, "0")}`)
      .join(""),
  );

/** Line breaks of an indented text stand between tokens only: inside strings they are escaped. */
const withReturns = (json: unknown): string => (JSON.stringify(json, null, "\t") ?? "null").replaceAll("\n", "\r\n");

/** JSON as text in one of the forms that all mean the same. */
export const writeJson = (json: unknown, dice: Dice): string => {
  const write = dice.pick([
    plainJson,
    plainJson,
    (value: unknown) => JSON.stringify(value, null, 2) ?? "null",
    withReturns,
    asciiJson,
  ]);
  return `${dice.pick(["", "", " ", "\n"])}${write(json)}${dice.pick(["", "\n", "\r\n\t "])}`;
};

const types = [
  "application/json",
  "application/json; charset=utf-8",
  "application/json;charset=UTF-8",
  "Application/JSON ; charset=utf-8",
] as const;

const fields = [
  ["x-request-id", "7c0ffee0"],
  ["deprecation", "true"],
  ["cache-control", "no-store"],
  ["x-ratelimit-remaining", "1"],
  ["strict-transport-security", "max-age=1"],
  ["server-timing", "db;dur=1.5"],
  ["set-cookie", "theme=dark; Path=/"],
] as const;

/** Header fields of a JSON answer: the type with or without parameters, and some that nobody asked for. */
export const jsonHeaders = (
  headers: Readonly<Record<string, string>>,
  dice: Dice,
): Readonly<Record<string, string>> => ({
  ...headers,
  "content-type": dice.pick(types),
  ...Object.fromEntries(dice.shuffled(fields).slice(0, dice.whole(0, 2))),
});

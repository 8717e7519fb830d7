import { array, assert, constantFrom, property } from "fast-check";
import { expect, test } from "vitest";
import { createWordSearch } from "./word-search.ts";

type Occurrence = readonly [index: number, at: number];

function search(words: Parameters<typeof createWordSearch>[0], text: string): readonly Occurrence[] {
  const found: Occurrence[] = [];
  createWordSearch(words).search(text, (index, at) => found.push([index, at]));
  return found.toSorted(([first, firstAt], [second, secondAt]) => first - second || firstAt - secondAt);
}

const toLowerCase = (text: string): string => text.toLowerCase();
const toStandard = (text: string): string => text.replaceAll("-", "+").replaceAll("_", "/");

test("finds each occurrence of each word, in the spelling of the word", () => {
  const words = [
    { text: "secret" },
    { text: "73656372", normalize: toLowerCase },
    { text: "c2V+/jcm", normalize: toStandard },
  ];
  expect(search(words, "secretsecret SECRET 73656372 c2V-_jcm c2v+/jcm")).toEqual([
    [0, 0],
    [0, 6],
    [1, 20],
    [2, 29],
  ]);
});

test.each([0, 1, 2, 3, 4, 5, 6, 7, 8, 9])("finds a word after %i other characters", (count) => {
  const text = `${"x".repeat(count)}0123456789${"x".repeat(count)}`;
  expect(search([{ text: "0123456789" }, { text: "0123456" }], text)).toEqual([
    [0, count],
    [1, count],
  ]);
});

test("finds nothing without words", () => {
  expect(search([], "text")).toEqual([]);
});

test("finds the same as a comparison at each offset", () => {
  const letters = (minLength: number, maxLength: number) =>
    array(constantFrom("a", "b", "B", "-", "+"), { minLength, maxLength }).map((characters) => characters.join(""));
  assert(
    property(array(letters(1, 9), { minLength: 1, maxLength: 4 }), letters(0, 60), (texts, searched) => {
      const expected = texts.flatMap((text, index) =>
        Array.from(searched, (_, at) => at).flatMap((at): readonly Occurrence[] =>
          searched.startsWith(text, at) ? [[index, at]] : [],
        ),
      );
      expect(
        search(
          texts.map((text) => ({ text })),
          searched,
        ),
      ).toEqual(expected);
    }),
  );
});

import { expect, test } from "vitest";
import { listBadWords, checkedPaths, findBadWords } from "./word-list.js";

test("no source, comment, message or guide has a word of the list", () => {
  expect(findBadWords(checkedPaths)).toEqual([]);
});

test.each([
  ["a comment", "// At most so many repositories are read.", "so many"],
  ["an identifier", "const isTold = true;", "is told"],
  ["a name with hyphens", 'import { x } from "./put-up-with.ts";', "put up with"],
  ["a message", 'throw new Error("whoever asked is gone");', "whoever"],
  ["a clause in front", "/** What is known about the target. */", "What is"],
])("%s with a word of the list is found", (_name, line, word) => {
  expect(listBadWords(`first\n${line}`).map((found) => [found.line, found.word])).toEqual([[2, word]]);
});

test.each([
  ["a line with a reason", "seat(1); // words: a chair of the sample data"],
  ["the id of a check", 'sees("user/success-is-told");'],
  ["part of a longer word", "const unseated = theSomany;"],
])("%s is accepted", (_name, line) => {
  expect(listBadWords(line)).toEqual([]);
});

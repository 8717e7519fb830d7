import { expect, test } from "vitest";
import { joinBlocks, joinTerminalLines } from "./terminal-text.ts";

test.each([
  ["::error::x", ":\u200B:error::x\n"],
  ["   ::set-output name=a::b", "   :\u200B:set-output name=a::b\n"],
  ["\u001B[31m  ::error::x\u001B[39m", "\u001B[31m  :\u200B:error::x\u001B[39m\n"],
  ["a ::error:: inside a line", "a ::error:: inside a line\n"],
  ["a ##[error]x", "a ##\u200B[error]x\n"],
  ["##vso[task.complete]", "##\u200Bvso[task.complete]\n"],
  ["## heading", "## heading\n"],
  ["trailing   ", "trailing\n"],
])("%j is written as %j", (line, text) => {
  expect(joinTerminalLines([line])).toBe(text);
});

test("blocks are separated by one empty line; empty blocks are left out", () => {
  expect(joinBlocks([[], ["a", "b"], [], ["c"]])).toEqual(["a", "b", "", "c"]);
});

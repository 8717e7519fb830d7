import { repetitions } from "@assay/tools/proving";
import fc from "fast-check";
import { expect, test } from "vitest";
import { findJsonError } from "./json-error-offset.ts";

test.each<{ text: string; at: number | undefined }>([
  { text: "{}", at: undefined },
  { text: ' [1, -0.5e+3, "\\u00e9", true, false, null] \n', at: undefined },
  { text: "", at: 0 },
  { text: "   ", at: 3 },
  { text: "[1,]", at: 3 },
  { text: "[,1]", at: 1 },
  { text: '{"a":1,}', at: 7 },
  { text: '{"a" 1}', at: 5 },
  { text: "{a:1}", at: 1 },
  { text: "[1 2]", at: 3 },
  { text: "[1}", at: 2 },
  { text: "01", at: 1 },
  { text: "-", at: 1 },
  { text: "1.", at: 2 },
  { text: "1e", at: 2 },
  { text: "tru", at: 3 },
  { text: "nul!", at: 3 },
  { text: "NaN", at: 0 },
  { text: "'a'", at: 0 },
  { text: '"a', at: 2 },
  { text: '"\\x"', at: 2 },
  { text: '"\\u12g4"', at: 5 },
  { text: '"a\tb"', at: 2 },
  { text: "{} {}", at: 3 },
  { text: "]", at: 0 },
  { text: "\t\r\n{\r}\r", at: undefined },
  { text: '"\\u09AF"', at: undefined },
  { text: '"\\uaf00"', at: undefined },
  { text: '"\\u/000"', at: 3 },
  { text: '"\\u:000"', at: 3 },
  { text: '"\\u@000"', at: 3 },
  { text: '"\\uG000"', at: 3 },
  { text: '"\\u`000"', at: 3 },
  { text: '"\\ug000"', at: 3 },
])("$text stops being JSON at $at", ({ text, at }) => {
  expect(findJsonError(Buffer.from(text))).toBe(at);
});

function accepts(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

const nearJson = fc
  .tuple(
    fc.json(),
    fc.array(fc.tuple(fc.nat(), fc.constantFrom(...'{}[]",:0-.eE+ntf\\u \t\n\u0001é')), { maxLength: 3 }),
  )
  .map(([text, edits]) =>
    edits.reduce((edited, [at, character]) => {
      const position = at % (edited.length + 1);
      return edited.slice(0, position) + character + edited.slice(position + (at % 2));
    }, text),
  );

test("it accepts what the engine accepts", () => {
  fc.assert(
    fc.property(nearJson, (text) => {
      expect(findJsonError(Buffer.from(text)) === undefined).toBe(accepts(text));
    }),
    { numRuns: repetitions(5000, 20_000) },
  );
});

test("nothing before the offset is wrong: the text up to it can be completed", () => {
  fc.assert(
    fc.property(nearJson, (text) => {
      const bytes = Buffer.from(text);
      const at = findJsonError(bytes) ?? bytes.length;
      const prefix = bytes.subarray(0, at);
      // A prefix of JSON is invalid only at its end.
      expect(findJsonError(prefix) ?? at).toBe(at);
    }),
  );
});

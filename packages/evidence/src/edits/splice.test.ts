import { Buffer } from "node:buffer";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import {
  deleteSpan,
  insertBytes,
  addMember,
  removeMember,
  toOtherType,
  replaceSpan,
  applySplices,
  applySplicesToChunks,
  replaceValue,
  findValueSpan,
  getValueText,
} from "./splice.ts";
import type { Splice } from "./splice.ts";

const edited = (text: string, splice: Splice | undefined): string =>
  splice === undefined ? "nothing to edit" : Buffer.from(applySplices(Buffer.from(text), [splice])).toString();
const json = (text: string) => ({ bytes: Buffer.from(text), offset: 0 });

test.each([
  { name: "a member in the middle", text: '{"a":1, "b" : [2] ,"c":3}', pointer: "/b", expected: '{"a":1, "c":3}' },
  { name: "the last member", text: '{"a":1 , "b":2 }', pointer: "/b", expected: '{"a":1  }' },
  { name: "the only member", text: '{ "a":{"x":1} }', pointer: "/a", expected: "{  }" },
  { name: "an element", text: "[1,2,3]", pointer: "/1", expected: "[1,3]" },
  { name: "the last element", text: "[1,2]", pointer: "/1", expected: "[1]" },
  { name: "a member of an element", text: '[{"a":1,"b":"}"}]', pointer: "/0/b", expected: '[{"a":1}]' },
  { name: "of two with a name, the one that counts", text: '{"a":1,"a":2}', pointer: "/a", expected: '{"a":1}' },
  { name: "nothing", text: '{"a":1}', pointer: "/b", expected: "nothing to edit" },
  { name: "nothing below a missing member", text: '{"a":1}', pointer: "/b/a", expected: "nothing to edit" },
  { name: "nothing below a value without members", text: '[7,{"a":1}]', pointer: "/0/a", expected: "nothing to edit" },
  { name: "nothing inside an empty text", text: '{"a":"","b":1}', pointer: "/a/,", expected: "nothing to edit" },
  {
    name: "the eleventh element",
    text: "[0,1,2,3,4,5,6,7,8,9,10,11]",
    pointer: "/10",
    expected: "[0,1,2,3,4,5,6,7,8,9,11]",
  },
  { name: "a member after spaces", text: ' \n{"a" : 1,"b":2}', pointer: "/a", expected: ' \n{"b":2}' },
  { name: "the whole text", text: '{"a":1}', pointer: "", expected: "nothing to edit" },
])("removes $name", ({ text, pointer, expected }) => {
  expect(edited(text, removeMember(json(text), pointer))).toBe(expected);
});

test("a value is replaced in place, and everything by the empty pointer", () => {
  const text = '{"a": [1, "x"] }';
  expect(edited(text, replaceValue(json(text), "/a/1", null))).toBe('{"a": [1, null] }');
  expect(edited(text, replaceValue(json(text), "", 5))).toBe("5");
  expect(edited(text, replaceValue(json(text), "/b", 5))).toBe("nothing to edit");
});

test("a member is added to an object, empty or not, and to nothing else", () => {
  expect(edited('{"a":{ }}', addMember(json('{"a":{ }}'), "/a", ["x", 1]))).toBe('{"a":{"x":1 }}');
  expect(edited('{"a":1}', addMember(json('{"a":1}'), "", ["x", [2]]))).toBe('{"x":[2],"a":1}');
  expect(edited("[1]", addMember(json("[1]"), "", ["x", 1]))).toBe("nothing to edit");
  expect(edited("{  \n }", addMember(json("{  \n }"), "", ["x", 1]))).toBe('{"x":1  \n }');
  expect(edited('{"a":{}}', addMember(json('{"a":{}}'), "", ["x", 1]))).toBe('{"x":1,"a":{}}');
});

test("a text inside other bytes is edited in place", () => {
  const whole = 'data: {"a":[1,"x"]}\n';
  const inside = { bytes: Buffer.from(whole).subarray(6, -1), offset: 6 };
  expect(edited(whole, replaceValue(inside, "/a/1", 2))).toBe('data: {"a":[1,2]}\n');
  expect(edited(whole, removeMember(inside, "/a/0"))).toBe('data: {"a":["x"]}\n');
  expect(edited(whole, addMember(inside, "", ["b", 3]))).toBe('data: {"b":3,"a":[1,"x"]}\n');
  expect(findValueSpan(inside, "/a/1")).toEqual({ offset: 14, length: 3 });
  expect(findValueSpan(inside, "/b")).toBeUndefined();
  expect([getValueText(inside, "/a"), getValueText(inside, ""), getValueText(inside, "/b")]).toEqual([
    '[1,"x"]',
    '{"a":[1,"x"]}',
    undefined,
  ]);
});

test.each([
  { value: "text", other: 4711 },
  { value: 7, other: "of another type" },
  { value: undefined, other: "of another type" },
])("another type than that of $value is $other", ({ value, other }) => {
  expect(toOtherType(value)).toBe(other);
});

test("splices apply in order of their offsets, whatever order they are given in", () => {
  const two = [deleteSpan({ offset: 4, length: 1 }), replaceSpan({ offset: 1, length: 1 }, "x")];
  expect(Buffer.from(applySplices(Buffer.from("abcdef"), two)).toString()).toBe("axcdf");
  expect(applySplices(Buffer.from("ab"), [deleteSpan({ offset: 0, length: 2 })])).toHaveLength(0);
});

const partsOf = (text: string, ends: readonly number[]) => {
  const cuts = [0, ...ends.map((end) => end % (text.length + 1)).toSorted((one, other) => one - other), text.length];
  return cuts.slice(1).map((end, index) => ({ bytes: Buffer.from(text.slice(cuts[index], end)), atMicros: index }));
};

test("splices give the same result for one piece and for many", () => {
  const edits = fc.array(fc.tuple(fc.nat(12), fc.nat(3), fc.string({ unit: "grapheme-ascii", maxLength: 3 })), {
    maxLength: 3,
  });
  fc.assert(
    fc.property(
      fc.string({ unit: "grapheme-ascii", minLength: 1, maxLength: 40 }),
      fc.array(fc.nat(40), { maxLength: 5 }),
      edits,
      (text, ends, wanted) => {
        let expected = "";
        let at = 0;
        const splices: Splice[] = [];
        for (const [distance, length, put] of wanted) {
          const offset = Math.min(text.length, at + distance + 1);
          const cut = Math.min(length, text.length - offset);
          splices.push(replaceSpan({ offset, length: cut }, put));
          expected += text.slice(at, offset) + put;
          at = offset + cut;
        }
        // Two splices at the same offset have no order.
        fc.pre(new Set(splices.map(({ offset }) => offset)).size === splices.length);
        expected += text.slice(at);
        const chunks = applySplicesToChunks(partsOf(text, ends), splices);
        expect(Buffer.concat(chunks.map(({ bytes }) => bytes)).toString()).toBe(expected);
        expect(Buffer.from(applySplices(Buffer.from(text), splices)).toString()).toBe(expected);
      },
    ),
  );
});

test("a moved part is cut in one place and inserted in another, with the times of its new neighbours", () => {
  const chunks = ["one ", "two ", "three"].map((text, atMicros) => ({ bytes: Buffer.from(text), atMicros }));
  const after = applySplicesToChunks(chunks, [
    deleteSpan({ offset: 0, length: 4 }),
    insertBytes(13, Buffer.from(" one")),
  ]);
  expect(after.map(({ bytes, atMicros }) => [Buffer.from(bytes).toString(), atMicros])).toEqual([
    ["two ", 1],
    ["three one", 2],
  ]);
});

test("a replacement of the first bytes of a chunk arrives with that chunk", () => {
  const chunks = ["one ", "two"].map((text, atMicros) => ({ bytes: Buffer.from(text), atMicros }));
  const after = applySplicesToChunks(chunks, [replaceSpan({ offset: 4, length: 3 }, "2")]);
  expect(after.map(({ bytes, atMicros }) => [Buffer.from(bytes).toString(), atMicros])).toEqual([
    ["one ", 0],
    ["2", 1],
  ]);
});

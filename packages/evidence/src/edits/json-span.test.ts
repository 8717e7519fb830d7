import { anyCharacter } from "@assay/tools/any-character";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { findJsonPointerSpan } from "./json-span.ts";

const marked = (text: string, pointer: string): string => {
  const bytes = Buffer.from(text);
  const { offset, length } = findJsonPointerSpan(bytes, pointer);
  return bytes.subarray(offset, offset + length).toString();
};

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null;

/** Every value inside a JSON value, with its pointer. */
function pointers(value: unknown, at = ""): readonly (readonly [pointer: string, value: unknown])[] {
  const children = isObject(value) ? Object.entries(value) : [];
  return [
    [at, value] as const,
    ...children.flatMap(([key, child]) => pointers(child, `${at}/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`)),
  ];
}

const hostileKeys = ["__proto__", "constructor", "a/b", "~1", "~", "", '"', "\\", "}", "0", "\u2028", "😀", "é", " "];

/** Escapes characters at random. */
const escapedAtRandom = (text: string): fc.Arbitrary<string> =>
  fc.array(fc.boolean(), { minLength: text.length, maxLength: text.length }).map((choices) => {
    const units = Array.from({ length: text.length }, (_, index) => text.charAt(index));
    const escaped = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
    const needsEscape = /["\\\p{Cc}\p{Cs}]/u;
    return `"${units.map((unit, index) => (choices[index] === true || needsEscape.test(unit) ? escaped(unit) : unit)).join("")}"`;
  });

const key = fc
  .oneof(fc.constantFrom(...hostileKeys), fc.string({ maxLength: 4, unit: anyCharacter }))
  .chain(escapedAtRandom);
const space = fc.constantFrom("", " ", "\n\t", "\r\n");

/** Unusual JSON texts: arbitrary spaces and escapes, duplicate member names. */
const { jsonText } = fc.letrec<{ jsonText: string }>((tie) => ({
  jsonText: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    fc.constantFrom("null", "true", "-0", "1.5e+3", '"]}"', String.raw`"\\"`, String.raw`"\""`, '""'),
    key,
    fc
      .tuple(space, fc.array(tie("jsonText"), { maxLength: 4 }), space)
      .map(([before, items, after]) => `[${before}${items.join(`${after},${before}`)}${after}]`),
    fc
      .tuple(space, fc.array(fc.tuple(key, space, tie("jsonText")), { maxLength: 5 }), space)
      .map(([before, members, after]) => {
        const all = members.map(([name, around, value]) => `${name}${around}:${around}${value}`);
        return `{${before}${all.join(`${after},${before}`)}${after}}`;
      }),
  ),
}));

describe("the span of a JSON pointer", () => {
  test.each([
    { name: "the whole value", text: ' {"a":1} ', pointer: "", span: '{"a":1}' },
    { name: "a member", text: '{"a":1,"b":[2,3]}', pointer: "/b", span: "[2,3]" },
    { name: "an element", text: '[{"a":1}, "x" , 2]', pointer: "/1", span: '"x"' },
    { name: "a member of an element", text: '[{"a": true }]', pointer: "/0/a", span: "true" },
    { name: "a name with a slash and a tilde", text: '{"a/b":1,"~":2}', pointer: "/a~1b", span: "1" },
    { name: "a name that is spelled with escapes", text: String.raw`{"\u0061":[1]}`, pointer: "/a", span: "[1]" },
    { name: "a string with brackets and quotes", text: String.raw`["]\"",5]`, pointer: "/1", span: "5" },
    { name: "the last of two members of a name", text: '{"a":1,"a":2}', pointer: "/a", span: "2" },
    { name: "a value after multibyte characters", text: '["日本語😀",7]', pointer: "/1", span: "7" },
  ])("is that of $name", ({ text, pointer, span }) => {
    expect(marked(text, pointer)).toBe(span);
  });

  test.each([
    { name: "a member that is missing", text: '{"a":{"b":1}}', pointer: "/a/c", span: '{"b":1}' },
    { name: "an inherited member", text: '{"a":{}}', pointer: "/a/toString", span: "{}" },
    { name: "an element beyond the end", text: "[[1],2]", pointer: "/0/1", span: "[1]" },
    { name: "an index that is not a number", text: "[[1],2]", pointer: "/", span: "[[1],2]" },
    { name: "an index with a leading zero", text: "[[1],2]", pointer: "/01", span: "[[1],2]" },
    { name: "an index in another notation", text: "[[1],2]", pointer: "/0x1", span: "[[1],2]" },
    { name: "a member of a number", text: '{"a":12}', pointer: "/a/b/c", span: "12" },
  ])("is that of the innermost value for $name", ({ text, pointer, span }) => {
    expect(marked(text, pointer)).toBe(span);
  });

  test("cuts the value that the pointer names out of any JSON text", () => {
    fc.assert(
      fc.property(jsonText, (text) => {
        for (const [pointer, value] of pointers(JSON.parse(text))) {
          expect(JSON.stringify(JSON.parse(marked(text, pointer)))).toBe(JSON.stringify(value));
        }
      }),
    );
  });

  test("cuts the enclosing value out of any JSON text where the pointer leads nowhere", () => {
    fc.assert(
      fc.property(jsonText, (text) => {
        for (const [pointer, value] of pointers(JSON.parse(text))) {
          const missing = `${pointer}/no such member/1`;
          expect(JSON.stringify(JSON.parse(marked(text, missing)))).toBe(JSON.stringify(value));
        }
      }),
    );
  });

  test.each(["[}", "[7\u000b ", "[,", '[1 "a"', '{"\\x":1}', '{"a"', '{"a":', '["\\'])("of %j ends", (text) => {
    const bytes = new TextEncoder().encode(text);
    const spans = ["/0", "/1", "/a", "/a/0/b"].map((pointer) => findJsonPointerSpan(bytes, pointer));
    expect(spans.filter(({ offset, length }) => offset + length > bytes.length)).toEqual([]);
  });

  test("lies inside the bytes, even if they are not JSON", () => {
    const nearlyJson = fc.array(fc.constantFrom(...Buffer.from('[]{}",:\\ \n\u000b1a')), { maxLength: 20 });
    const anyBytes = fc.oneof(
      fc.uint8Array({ maxLength: 40 }),
      nearlyJson.map((each) => Uint8Array.from(each)),
    );
    fc.assert(
      fc.property(anyBytes, fc.constantFrom("", "/0", "/1", "/a", "/a/0/b"), (bytes, pointer) => {
        const { offset, length } = findJsonPointerSpan(bytes, pointer);
        expect(Math.min(offset, length, bytes.length - offset - length)).toBeGreaterThanOrEqual(0);
      }),
    );
  });

  test("is found in a text of many levels without running out of stack", () => {
    const depth = 100_000;
    expect(marked(`[${"[".repeat(depth)}${"]".repeat(depth)},1]`, "/1")).toBe("1");
  });
});

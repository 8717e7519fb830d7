import { repetitions } from "@assay/tools/proving";
import { Ajv2020 } from "ajv/dist/2020.js";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { RecordTable, compileByteReader } from "./compile-byte-reader.ts";
import type { ReadSchema } from "./compile-byte-reader.ts";

const noReference = (): ReadSchema => ({});
const bytesOf = (text: string): Buffer => Buffer.from(`${text}\n`);

/** The offset after the value, or -1. */
const read = (schema: ReadSchema, text: string, table = new RecordTable()): number =>
  compileByteReader(schema, noReference)(bytesOf(text), 0, table);

const word: ReadSchema = { type: "string" };
const count: ReadSchema = { type: "integer", minimum: 0 };
const named: ReadSchema = { type: "object", required: ["a"], properties: { a: word, ab: count } };

describe("a value is read to its end", () => {
  test.each<{ schema: ReadSchema; text: string }>([
    { schema: {}, text: '{"a":[1,-2.5e+3,true,false,null,"\\u00e9\\n"],"b":{}}' },
    { schema: {}, text: " [ 1 , 2 ]" },
    { schema: word, text: '"a\\"b"' },
    { schema: word, text: '"größe 🔎"' },
    { schema: count, text: "0" },
    { schema: { type: "integer" }, text: "-12" },
    { schema: { type: "boolean" }, text: "false" },
    { schema: { type: ["array", "null"] }, text: "null" },
    { schema: { type: ["array", "null"] }, text: '["a"]' },
    { schema: { const: "content" }, text: '"content"' },
    { schema: { type: "string", pattern: "^[0-9a-f]{7,40}$" }, text: '"00ff00ff"' },
    { schema: { type: "array", items: count, minItems: 2, maxItems: 2 }, text: "[1,2]" },
    { schema: named, text: '{"a":"x","ab":1}' },
    { schema: named, text: '{"other":[{}],"a":"x","abc":2}' },
    { schema: named, text: '{ "a" : "x" }' },
  ])("$text", ({ schema, text }) => {
    expect(read(schema, text)).toBe(Buffer.byteLength(text));
  });
});

describe("a value that is not certainly valid is not read", () => {
  test.each<{ name: string; schema: ReadSchema; text: string }>([
    { name: "another type", schema: word, text: "1" },
    { name: "a control character", schema: word, text: '"a\tb"' },
    { name: "an unknown escape", schema: word, text: '"\\x"' },
    { name: "half an escape", schema: word, text: '"\\u00e"' },
    { name: "a text without an end", schema: word, text: '"a' },
    { name: "a leading zero", schema: count, text: "01" },
    { name: "a negative count", schema: count, text: "-1" },
    { name: "an integer with a fraction, which may be 0", schema: count, text: "1.0" },
    { name: "an integer with an exponent", schema: count, text: "1e3" },
    { name: "an integer that may not be exact", schema: count, text: "1234567890123456" },
    { name: "another constant", schema: { const: "content" }, text: '"contents"' },
    { name: "a constant in other characters", schema: { const: "content" }, text: '"\\u0063ontent"' },
    { name: "a text that does not match", schema: { type: "string", pattern: "^a" }, text: '"b"' },
    { name: "too few elements", schema: { type: "array", minItems: 2 }, text: "[1]" },
    { name: "too many elements", schema: { type: "array", maxItems: 1 }, text: "[1,2]" },
    { name: "a comma before the end", schema: {}, text: "[1,]" },
    { name: "a missing member", schema: named, text: '{"ab":1}' },
    { name: "a member twice", schema: named, text: '{"a":"x","a":"y"}' },
    { name: "a member with an escaped name", schema: named, text: '{"a":"x","\\u0061":1}' },
    { name: "a number with two points", schema: {}, text: "1.2.3x" },
    { name: "a value that nests deeply", schema: {}, text: `${"[".repeat(100)}${"]".repeat(100)}` },
  ])("$name", ({ schema, text }) => {
    const end = read(schema, text);
    expect(end === -1 || end < Buffer.byteLength(text)).toBe(true);
  });
});

test("a keyword that readers do not know is refused", () => {
  expect(() => compileByteReader({ enum: ["a"] }, noReference)).toThrow(
    "no reader of bytes can be made for the keyword enum",
  );
  expect(() => compileByteReader({ type: "integer", minimum: 1 }, noReference)).toThrow("the minimum 1");
});

test("records hold spans, integers and numbers of elements, with the records of elements after them", () => {
  const schema: ReadSchema = {
    type: "object",
    record: 6,
    unlistedArrays: 5,
    properties: {
      name: { type: "string", span: 0 },
      items: {
        type: "array",
        total: 2,
        first: 3,
        items: {
          type: "object",
          record: 2,
          properties: {
            size: { type: "integer", integer: 0 },
            pairs: { type: "array", total: 1, items: { type: "integer", push: true } },
          },
        },
      },
      lists: { type: "array", items: { type: "array", filled: 4 } },
    },
  };
  const table = new RecordTable();
  table.origin = 1;
  const text = '{"items":[{"pairs":[7,8],"size":-5},{"size":6}],"more":[1],"name":"abc","lists":[[],[1],[2]]}';
  expect(compileByteReader(schema, noReference)(bytesOf(` ${text}`), 1, table)).toBe(text.length + 1);
  const name = text.indexOf('"abc"');
  expect([...table.ints.subarray(0, table.used)]).toEqual(
    [
      [name, name + 5, 2, 6, 2, 1],
      [-5, 2, 7, 8],
      [6, 0],
    ].flat(),
  );
});

const referenced: ReadSchema = {
  type: "object",
  required: ["type", "size"],
  properties: {
    type: { const: "content" },
    size: count,
    flags: { type: "array", items: { type: "boolean" }, maxItems: 3 },
    hash: { type: "string", pattern: "^[0-9a-f]{3,5}$" },
    inner: { type: ["object", "null"], properties: { a: { type: "integer" } } },
  },
};

/** Values that often fit the schema, as text. */
const document = fc
  .record(
    {
      type: fc.constantFrom("content", "content", "content", "path", 1),
      size: fc.oneof({ weight: 8, arbitrary: fc.nat() }, fc.constantFrom(-1, 1.5, 1e21, "1")),
      flags: fc.array(fc.oneof({ weight: 8, arbitrary: fc.boolean() }, fc.constant(null)), { maxLength: 4 }),
      hash: fc.constantFrom("abc", "00ff", "abcde", "a", "ABC"),
      inner: fc.constantFrom(null, {}, { a: 1 }, { a: "1" }),
      other: fc.jsonValue({ maxDepth: 3 }),
    },
    { requiredKeys: ["type", "size"] },
  )
  .map((value) => JSON.stringify(value));

/** Changes of single bytes, at positions that are a share of the length. */
const changes = fc.array(
  fc.record({
    at: fc.double({ min: 0, max: 0.999, noNaN: true }),
    byte: fc.constantFrom(...Buffer.from('{}[]",:\\0123456789-+.eEtrufalsn \tx\u0001')),
    kind: fc.constantFrom("replace", "insert", "remove"),
  }),
  { maxLength: 2 },
);

test("nothing is read that a parser and a validator refuse", () => {
  const accepts = new Ajv2020({ strict: false }).compile({ $ref: "#/$defs/a", $defs: { a: referenced } });
  const readValue = compileByteReader(referenced, noReference);
  let readCount = 0;
  fc.assert(
    fc.property(document, changes, (text, list) => {
      const bytes = [...Buffer.from(text)];
      for (const { at, byte, kind } of list) {
        bytes.splice(Math.floor(at * bytes.length), kind === "insert" ? 0 : 1, ...(kind === "remove" ? [] : [byte]));
      }
      const end = readValue(Buffer.from([...bytes, 10]), 0, new RecordTable());
      readCount += Number(end !== -1);
      return end === -1 || accepts(JSON.parse(Buffer.from(bytes.slice(0, end)).toString()));
    }),
    { numRuns: repetitions(3000, 100_000) },
  );
  expect(readCount).toBeGreaterThan(100);
});

/** Members of valid values, in any order. The values of names that are not listed are short. */
const members = fc
  .record(
    {
      type: fc.constant("content"),
      size: fc.nat(),
      flags: fc.array(fc.boolean(), { maxLength: 3 }),
      inner: fc.constantFrom(null, {}, { a: 1 }),
      s: fc.constantFrom(0, "", null, true),
      typ: fc.constant(0),
    },
    { requiredKeys: ["type", "size"] },
  )
  .chain((value) => fc.shuffledSubarray(Object.entries(value), { minLength: Object.keys(value).length }));

/** Bytes that are alone in their memory, so that nothing can be read beyond them. */
const aloneInMemory = (bytes: Uint8Array): Buffer => Buffer.from(Uint8Array.from(bytes).buffer);

test("valid values are read in any order of their members, with one byte behind them, and no part of one is read or fails", () => {
  const readValue = compileByteReader(referenced, noReference);
  fc.assert(
    fc.property(members, fc.double({ min: 0, max: 0.999, noNaN: true }), (entries, share) => {
      const bytes = bytesOf(JSON.stringify(Object.fromEntries(entries)));
      expect(readValue(aloneInMemory(bytes), 0, new RecordTable())).toBe(bytes.length - 1);
      const part = bytes.subarray(0, Math.floor(share * (bytes.length - 1)));
      expect(readValue(aloneInMemory(part), 0, new RecordTable())).toBe(-1);
    }),
    { numRuns: repetitions(3000, 100_000) },
  );
});

test("a text that a pattern remembers is read like a new one", () => {
  const pattern = "^(?:a+b?|c{3})$";
  const readText = compileByteReader({ type: "string", pattern }, noReference);
  const text = fc.stringMatching(/^[abc]{0,9}$/u);
  fc.assert(
    fc.property(text, (value) => {
      const end = readText(bytesOf(`"${value}"`), 0, new RecordTable());
      expect(end).toBe(new RegExp(pattern, "u").test(value) ? value.length + 2 : -1);
    }),
    { numRuns: repetitions(3000, 100_000) },
  );
});

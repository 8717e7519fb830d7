import { repetitions } from "@assay/tools/proving";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { stringify } from "yaml";
import { jsonOfYaml } from "../worker/json-of-yaml.js";
import { isDocumentErrorCode } from "./document-error.ts";
import { readYaml } from "./read-yaml.ts";

const limits = { maxDepth: 20, maxCharacters: 100_000 };
const read = (text: string) => readYaml(text, limits);

const bomb = [
  "a: &a [x,x,x,x,x,x,x,x,x]",
  ...Array.from("bcdefghij", (name, index) => `${name}: &${name} [${`*${"abcdefghi"[index]},`.repeat(9)}]`),
].join("\n");

describe("reading YAML", () => {
  const scalars = [
    ["a date", "2020-01-01", "2020-01-01"],
    ["a time", "2020-01-01T00:00:00Z", "2020-01-01T00:00:00Z"],
    ["yes", "yes", "yes"],
    ["a number with a zero before it", "012", 12],
    ["an octal number of YAML 1.2", "0o17", 15],
    ["a base-60 number of YAML 1.1", "12:30:45", "12:30:45"],
    ["a number with underscores", "1_000", "1_000"],
    ["a version", "3.1.0", "3.1.0"],
    ["a status in quotes", '"200"', "200"],
    ["nothing", "", null],
    ["a tilde", "~", null],
    ["text by a tag", "!!str 12", "12"],
  ] as const;
  // Parsed together, because each document takes its own thread.
  const listed = scalars.map(([, text]) => `- ${text}\n`).join("");
  const [plain, older] = [listed, `%YAML 1.1\n---\n${listed}`].map((text) => {
    const result = read(text);
    return result.ok ? result.value : result.error.message;
  });

  test.each(scalars.map(([name, , value], index) => ({ name, value, index })))(
    "takes $name for what JSON would hold",
    ({ index, value }) => {
      expect([plain, older].map((values) => Object(values)[index])).toEqual([value, value]);
    },
  );

  test("makes every key text, including a status", () => {
    expect(read("200: a\nnull: b\ntrue: c\n")).toEqual({ ok: true, value: { 200: "a", null: "b", true: "c" } });
  });

  test("expands aliases, each with the last anchor before it", () => {
    expect(read("a: &x {y: &z 1}\nb: &z 2\nc: *x\nd: *z\n")).toEqual({
      ok: true,
      value: { a: { y: 1 }, b: 2, c: { y: 1 }, d: 2 },
    });
  });

  test("keeps __proto__ and other inherited names as own members", () => {
    const result = read("__proto__: {polluted: true}\nconstructor: 1\n");
    expect(JSON.stringify(result)).toBe('{"ok":true,"value":{"__proto__":{"polluted":true},"constructor":1}}');
    expect(Reflect.has({}, "polluted")).toBe(false);
  });

  test.each([
    { name: "an alias bomb", text: bomb, code: "too-large" },
    {
      name: "a long text that is repeated",
      text: `a: &a ${"x".repeat(2000)}\nb: [${"*a,".repeat(60)}]`,
      code: "too-large",
    },
    { name: "an alias into itself", text: "a: &a [*a]", code: "not-yaml" },
    { name: "an alias to nowhere", text: "a: *b", code: "not-yaml" },
    {
      name: "nested aliases",
      text: `k0: &k0 [x]\n${Array.from({ length: 30 }, (_, i) => `k${i + 1}: &k${i + 1} [*k${i}]`).join("\n")}`,
      code: "too-deep",
    },
    { name: "equal keys", text: "a: 1\na: 2", code: "not-yaml" },
    { name: "equal keys, spelled differently", text: 'a: 1\n"\\x61": 2', code: "not-yaml" },
    { name: "equal keys named __proto__", text: "__proto__: 1\n__proto__: 2", code: "not-yaml" },
    { name: "a merge of text", text: "a: &a b\nc:\n  <<: *a", code: "not-yaml" },
    { name: "a merge of nothing", text: "c:\n  <<:", code: "not-yaml" },
    { name: "a merge of lists", text: "c:\n  <<: [[{a: 1}]]", code: "not-yaml" },
    { name: "two merge keys", text: "a: &a {b: 1}\nc:\n  <<: *a\n  <<: *a", code: "not-yaml" },
    { name: "a merge with its own mapping", text: "a: &a\n  b: 1\n  <<: *a", code: "not-yaml" },
    {
      name: "a merge bomb",
      text: `k0: &k0 {x: ${"x".repeat(2000)}}\n${Array.from({ length: 12 }, (_, i) => `k${i + 1}: &k${i + 1} {<<: [${`*k${i},`.repeat(9)}]}`).join("\n")}`,
      code: "too-large",
    },
    { name: "a tag of its own", text: "a: !ours x", code: "not-yaml" },
    { name: "binary data", text: "a: !!binary aGk=", code: "not-yaml" },
    { name: "a tag on an object", text: "a: !!set {b}", code: "not-yaml" },
    { name: "an infinite number", text: "a: .inf", code: "not-yaml" },
    { name: "no number", text: "a: .NaN", code: "not-yaml" },
    { name: "a key that is a list", text: "? [a]\n: b", code: "not-yaml" },
    { name: "two documents", text: "a: 1\n---\nb: 1", code: "not-yaml" },
    { name: "a tab", text: "a:\n\t- b", code: "not-yaml" },
    { name: "a level too many", text: `a: ${"[".repeat(20)}${"]".repeat(20)}`, code: "too-deep" },
    { name: "lists in lists", text: "- ".repeat(10_000), code: "too-deep" },
    { name: "brackets that never close", text: "[".repeat(10_000), code: "too-deep" },
  ])("refuses $name as $code, in one line", ({ text, code }) => {
    // In this thread, since these texts are certain to finish.
    const refused = jsonOfYaml(text, limits);
    expect(refused).toEqual({ code, reason: expect.stringMatching(/^[^\n]+$/u) });
    expect(isDocumentErrorCode(code)).toBe(true);
  });

  test("refuses in a separate thread, with the same message", () => {
    const { reason } = Object.assign({ reason: "" }, jsonOfYaml(bomb, limits));
    expect(read(bomb)).toMatchObject({
      ok: false,
      error: { code: "too-large", message: expect.stringContaining(reason) },
    });
  });

  test("accepts the maximum nesting", () => {
    expect(read(`${"[".repeat(20)}${"]".repeat(20)}`)).toMatchObject({ ok: true });
  });

  test.each([
    { name: "a mapping", text: "a: &a {b: 1, c: 2}\nd: {<<: *a, e: 3}", d: { b: 1, c: 2, e: 3 } },
    { name: "a mapping after its members", text: "a: &a {b: 1}\nd: {b: 2, <<: *a}", d: { b: 2 } },
    { name: "a mapping before its members", text: "a: &a {b: 1}\nd: {<<: *a, b: 2}", d: { b: 2 } },
    { name: "mappings, of which the first counts", text: "d: {<<: [{b: 1}, {b: 2, c: 3}]}", d: { b: 1, c: 3 } },
    { name: "no mappings", text: "d: {<<: [], b: 1}", d: { b: 1 } },
    { name: "a mapping that merges", text: "a: &a {b: 1}\nc: &c {<<: *a, e: 2}\nd: {<<: *c}", d: { b: 1, e: 2 } },
    {
      name: "members of members, which are not merged",
      text: "a: &a {b: {c: 1}}\nd: {<<: *a, b: {e: 2}}",
      d: { b: { e: 2 } },
    },
    { name: "a member named __proto__", text: "d: {<<: {__proto__: 1}}", d: JSON.parse('{"__proto__":1}') },
  ])("merges $name", ({ text, d }) => {
    const { json } = Object.assign({ json: "null" }, jsonOfYaml(text, limits));
    expect(JSON.stringify(Object(JSON.parse(json)).d)).toBe(JSON.stringify(d));
  });

  test("accepts << as text", () => {
    expect(read('"<<": 1')).toEqual({ ok: true, value: { "<<": 1 } });
  });

  test("ends at the deadline", () => {
    const result = readYaml("- a\n".repeat(400_000), { ...limits, deadlineMs: 100 });
    expect(result).toMatchObject({ ok: false, error: { code: "deadline-exceeded" } });
  });

  test.each(["PLAIN", "QUOTE_DOUBLE"] as const)(
    "returns the written value, for any JSON, keys %s",
    (defaultKeyType) => {
      fc.assert(
        fc.property(fc.jsonValue({ maxDepth: 4 }), (value) => {
          const json = JSON.stringify(value);
          // Without quotes this key merges.
          fc.pre(defaultKeyType === "QUOTE_DOUBLE" || !json.includes('"<<":'));
          const text = stringify(JSON.parse(json), { aliasDuplicateObjects: false, defaultKeyType });
          expect(jsonOfYaml(text, limits)).toEqual({ json: JSON.stringify(JSON.parse(json)) });
        }),
        { numRuns: repetitions(20, 200), examples: [[{ "<<": "" }], [{ "<<": { a: [1] } }]] },
      );
    },
  );
});

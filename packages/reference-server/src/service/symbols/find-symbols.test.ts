import fc from "fast-check";
import { expect, test } from "vitest";
import { findSymbols } from "./find-symbols.ts";
import { symbolPatterns } from "./symbol-patterns.ts";

const found = (language: string, text: string): readonly string[] => {
  const bytes = Buffer.from(text);
  const line = { bytes, lineNumber: 0, offset: 0, spans: [[0, bytes.length]] as const };
  return findSymbols([line], language).map(({ kind, name }) => `${kind} ${name}`);
};

test.each([
  ["TypeScript", "export default abstract class Shop<T> {", "CLASS Shop"],
  ["TypeScript", "export interface Shop {", "INTERFACE Shop"],
  ["TypeScript", "export type Shop<T> = T;", "TYPEPARAMETER Shop"],
  ["TypeScript", "const enum Colour {", "ENUM Colour"],
  ["TypeScript", "export async function* walk(", "FUNCTION walk"],
  ["TypeScript", "declare namespace Shop {", "MODULE Shop"],
  ["JavaScript", "var $old = 1", "VARIABLE $old"],
  ["Python", "async def run(self):", "FUNCTION run"],
  ["Python", "name: str = 'x'", "VARIABLE name"],
  ["Go", "func (s *Shop) Open() error {", "METHOD Open"],
  ["Go", "func Open[T any]() {", "FUNCTION Open"],
  ["Go", "type Shop[T any] struct {", "STRUCT Shop"],
  ["Go", "type Shop interface {", "INTERFACE Shop"],
  ["Go", "type ID int64", "TYPEPARAMETER ID"],
  ["Rust", "    pub(crate) const unsafe fn open() {", "FUNCTION open"],
  ["Rust", "pub trait Shop {", "INTERFACE Shop"],
  ["Rust", "static mut COUNT: u8 = 0;", "CONSTANT COUNT"],
  ["Java", "  public static List<String> names(int a) {", "METHOD names"],
  ["Java", "public final class Shop {", "CLASS Shop"],
  ["Kotlin", "data class Shop(val a: Int)", "CLASS Shop"],
  ["Kotlin", "  override fun open() {", "FUNCTION open"],
  ["C#", "internal sealed record Shop(int A);", "CLASS Shop"],
  ["C", "static int *open_shop(struct shop *s)", "FUNCTION open_shop"],
  ["C", "#define SHOP_MAX 3", "CONSTANT SHOP_MAX"],
  ["C++", "namespace shop {", "MODULE shop"],
  ["Ruby", "  def self.open?(x)", "METHOD open?"],
  ["Shell", "open-shop() {", "FUNCTION open-shop"],
  ["PHP", "  public static function open() {", "FUNCTION open"],
])("finds in %s: %s", (language, line, symbol) => {
  expect(found(language, line)).toEqual([symbol]);
});

test.each([
  ["TypeScript", "  return className;"],
  ["TypeScript", "functional(x)"],
  ["Python", "x == 3"],
  ["Go", "return func() {}"],
  ["C", "int open_shop(void);"],
  ["Markdown", "# class Shop"],
])("finds nothing in %s: %s", (language, line) => {
  expect(found(language, line)).toEqual([]);
});

test("counts columns in characters, and marks the name, not the same word before it", () => {
  const bytes = Buffer.from("ä open open(");
  const line = { bytes, lineNumber: 6, offset: 0, spans: [[0, bytes.length]] as const };
  expect(findSymbols([{ ...line, bytes: Buffer.from("open_t open_t(int ä)") }], "C")).toEqual([
    { name: "open_t", kind: "FUNCTION", line: 7, columns: [8, 14] },
  ]);
});

test("omits symbols whose names do not match", () => {
  const bytes = Buffer.from("class Shop extends Needle {");
  expect(findSymbols([{ bytes, lineNumber: 0, offset: 0, spans: [[19, 25]] }], "TypeScript")).toEqual([]);
  expect(findSymbols([{ bytes, lineNumber: 0, offset: 0, spans: [[8, 10]] }], "TypeScript")).toHaveLength(1);
});

test("is fast on any line", () => {
  const parts = ["public ", "static ", "a", " ", "(", "::", "<", "class ", "func (", "const ", "def ", ",", "*", "="];
  fc.assert(
    fc.property(
      fc.constantFrom(...symbolPatterns.keys()),
      fc.array(fc.constantFrom(...parts), { minLength: 1, maxLength: 4 }),
      (language, some) => {
        const line = some.join("").repeat(2000).slice(0, 2000);
        expect(found(language, line).length).toBeLessThanOrEqual(1);
      },
    ),
  );
});

import { readFileSync } from "node:fs";
import fc from "fast-check";
import { expect, test } from "vitest";
import { isExempt } from "./no-proxy.ts";

interface Row {
  readonly name: string;
  readonly list: string;
  readonly target: string;
  readonly direct: boolean;
  /** What Go does; held by a test of `scenarios/k6/route`. */
  readonly go: boolean;
  /** What curl 7.88.1 was seen to do. */
  readonly curl: boolean;
}

const rows: readonly Row[] = JSON.parse(readFileSync(new URL("../../fixtures/no-proxy.json", import.meta.url), "utf8"));

test.each(rows)("$name: direct $direct", ({ list, target, direct }) => {
  expect(isExempt(new URL(target), list)).toBe(direct);
});

test("whatever curl or Go reach directly is reached directly", () => {
  expect(rows.filter(({ direct, go, curl }) => !direct && (go || curl))).toEqual([]);
  // An address in brackets without a port: neither does, but browsers write it so.
  expect(rows.filter(({ direct, go, curl }) => direct && !go && !curl).map(({ name }) => name)).toEqual([
    "an IPv6 address in brackets",
  ]);
});

test("no list makes it throw", () => {
  const text = fc.string({ unit: fc.constantFrom(...":,[]/.*% 019af\u{e9}") });
  const targets = rows.map(({ target }) => new URL(target));
  fc.assert(
    fc.property(text, fc.constantFrom(...targets), (list, target) => {
      expect(typeof isExempt(target, list)).toBe("boolean");
    }),
  );
});

import { readFileSync } from "node:fs";
import fc from "fast-check";
import { expect, test } from "vitest";
import { isExempt } from "./no-proxy.ts";

interface Row {
  readonly name: string;
  readonly list: string;
  readonly target: string;
  readonly direct: boolean;
  /** Result of Go, verified by a test of `scenarios/k6/route`. */
  readonly go: boolean;
  /** Observed result of curl 7.88.1. */
  readonly curl: boolean;
}

const rows: readonly Row[] = JSON.parse(readFileSync(new URL("../../fixtures/no-proxy.json", import.meta.url), "utf8"));

test.each(rows)("$name: direct $direct", ({ list, target, direct }) => {
  expect(isExempt(new URL(target), list)).toBe(direct);
});

test("hosts that curl or Go reach directly are reached directly", () => {
  expect(rows.filter(({ direct, go, curl }) => !direct && (go || curl))).toEqual([]);
  // A bracketed address without a port: neither supports it, but browsers write it this way.
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

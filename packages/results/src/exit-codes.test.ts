import { expect, test } from "vitest";
import { exitCodeOf, exitCodes, outcomePrecedence } from "./exit-codes.ts";

test.each([
  ["passed", "SIGINT", 0],
  ["failed", "SIGINT", 1],
  ["usage-error", "SIGINT", 2],
  ["incomplete", "SIGINT", 3],
  ["performance-failed", "SIGINT", 4],
  ["performance-inconclusive", "SIGINT", 5],
  ["cleanup-incomplete", "SIGINT", 6],
  ["harness-error", "SIGINT", 70],
  ["interrupted", "SIGINT", 130],
  ["interrupted", "SIGTERM", 143],
  ["failed", "SIGTERM", 1],
] as const)("%s after %s has the exit code %i", (outcome, signal, code) => {
  expect(exitCodeOf(outcome, signal)).toBe(code);
});

test("the table has the published codes, each with its outcome and a meaning", () => {
  expect(exitCodes.map(({ code }) => code)).toEqual([0, 1, 2, 3, 4, 5, 6, 70, 130, 143]);
  expect(exitCodes.map(({ outcome }) => exitCodeOf(outcome))).toEqual([0, 1, 2, 3, 4, 5, 6, 70, 130, 130]);
  expect(new Set(exitCodes.map(({ meaning }) => meaning)).size).toBe(exitCodes.length);
});

test("the precedence ranks every outcome of the table exactly once", () => {
  expect([...outcomePrecedence].sort()).toEqual([...new Set(exitCodes.map(({ outcome }) => outcome))].sort());
});

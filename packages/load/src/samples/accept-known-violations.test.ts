import { expect, test } from "vitest";
import { streamAt } from "../testing/load-fixtures.ts";
import { acceptKnownViolations } from "./accept-known-violations.ts";

const known = { comment: "known" };

test.each([
  ["all are known", { comment: 2 }, "ok"],
  ["one is not known", { comment: 2, "no-done": 1 }, "violation"],
  ["none is named", undefined, "violation"],
] as const)(
  "of a stream whose violations are such that %s, the outcome counts as it should",
  (_name, codes, outcome) => {
    const sample = { ...streamAt(0), outcome: "violation", ...(codes === undefined ? {} : { codes }) } as const;
    expect(acceptKnownViolations(sample, known)).toEqual({ ...sample, outcome });
  },
);

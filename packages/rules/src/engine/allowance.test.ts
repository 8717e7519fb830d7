import { describe, expect, test } from "vitest";
import { runAllowance, searchAllowance, spend } from "./allowance.ts";

describe("an allowance", () => {
  test("can be used up completely", () => {
    const allowance = { things: 2, characters: 5 };
    expect(spend([allowance], "characters", 5)).toBe(true);
    expect(spend([allowance], "characters", 1)).toBe(false);
    expect(allowance).toEqual({ things: 2, characters: 0 });
  });

  test("does not change if another one has too little left", () => {
    const [one, other] = [
      { things: 2, characters: 0 },
      { things: 1, characters: 0 },
    ];
    expect(spend([one, other], "things", 2)).toBe(false);
    expect([one.things, other.things]).toEqual([2, 1]);
    expect(spend([one, other], "things", 1)).toBe(true);
    expect([one.things, other.things]).toEqual([1, 0]);
  });

  test("is larger for a run than for a search", () => {
    expect(searchAllowance()).toEqual({ things: 20_000, characters: 4_194_304 });
    expect(runAllowance()).toEqual({ things: 400_000, characters: 67_108_864 });
  });
});

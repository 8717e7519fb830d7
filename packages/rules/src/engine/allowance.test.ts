import { describe, expect, test } from "vitest";
import { runAllowance, searchAllowance, spend } from "./allowance.ts";

describe("an allowance", () => {
  test("can be used up completely", () => {
    const allowance = { items: 2, characters: 5 };
    expect(spend([allowance], "characters", 5)).toBe(true);
    expect(spend([allowance], "characters", 1)).toBe(false);
    expect(allowance).toEqual({ items: 2, characters: 0 });
  });

  test("does not change if another one has too little left", () => {
    const [one, other] = [
      { items: 2, characters: 0 },
      { items: 1, characters: 0 },
    ];
    expect(spend([one, other], "items", 2)).toBe(false);
    expect([one.items, other.items]).toEqual([2, 1]);
    expect(spend([one, other], "items", 1)).toBe(true);
    expect([one.items, other.items]).toEqual([1, 0]);
  });

  test("is larger for a run than for a search", () => {
    expect(searchAllowance()).toEqual({ items: 20_000, characters: 4_194_304 });
    expect(runAllowance()).toEqual({ items: 400_000, characters: 67_108_864 });
  });
});

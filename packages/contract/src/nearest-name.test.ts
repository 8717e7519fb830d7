import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { closestName, nearestName } from "./nearest-name.ts";

const names = ["smoke", "gate", "release"];

describe("the closest name", () => {
  test.each([
    ["no-dne", "no-done"],
    ["CRLF", "crlf"],
    ["done-twise", "done-twice"],
    ["no-done".padEnd(100_000, "e"), "no-done"],
    ["nothing like any of them", "no-done"],
  ])("of `%s` is %s", (typed, closest) => {
    expect(closestName(typed, ["no-done", "crlf", "done-twice"])).toBe(closest);
  });

  test("is undefined without names", () => {
    expect(closestName("gate", [])).toBeUndefined();
  });
});

describe("the nearest name", () => {
  test.each([
    { typed: "gate", near: "gate", why: "the name itself" },
    { typed: "gat", near: "gate", why: "a letter missing" },
    { typed: "gaet", near: "gate", why: "two letters swapped" },
    { typed: "relaese", near: "release", why: "two letters swapped in a longer name" },
    { typed: "GATE", near: "gate", why: "capitals" },
    { typed: "leas", near: "release", why: "a part of a name" },
    { typed: "production", near: undefined, why: "nothing like any of them" },
    { typed: "eas", near: undefined, why: "too short a part to mean anything" },
  ])("of `$typed` is $near: $why", ({ typed, near }) => {
    expect(nearestName(typed, names)).toBe(near);
  });

  test("is undefined without names", () => {
    expect(nearestName("gate", [])).toBeUndefined();
  });

  test("of a listed name is itself", () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.string({ minLength: 1, maxLength: 40 }), { minLength: 1 }), (all) => {
        expect(all.map((name) => nearestName(name, all))).toEqual(all);
      }),
    );
  });

  test("is found quickly for a word of any length", () => {
    expect(nearestName("x".repeat(1_000_000), names)).toBeUndefined();
  });
});

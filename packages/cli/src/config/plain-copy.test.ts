import { describe, expect, test } from "vitest";
import { createPlainCopy } from "./plain-copy.ts";

const holdsItself = (): unknown => {
  const inner: Record<string, unknown> = {};
  return { targets: Object.assign(inner, { again: inner }) };
};

/** A few objects in many places: more members than can be visited. */
const manifold = (): unknown => {
  let value: unknown = {};
  for (let depth = 0; depth < 8; depth += 1) {
    value = Array.from({ length: 30 }, () => value);
  }
  return value;
};

describe("a copy", () => {
  test("is equal to the value, and does not change afterwards", () => {
    let asked = 0;
    const value = {
      list: [1, { two: null }],
      get url() {
        asked += 1;
        return `https://host-${asked}.example`;
      },
    };
    const copy = createPlainCopy(value);
    expect([copy, copy]).toEqual(
      Array.from({ length: 2 }, () => ({ list: [1, { two: null }], url: "https://host-1.example" })),
    );
  });

  test("keeps a member that has the name of the prototype", () => {
    expect(Object.keys(Object(createPlainCopy(JSON.parse('{"__proto__":{"url":"x"}}'))))).toEqual(["__proto__"]);
  });

  test("has a shared object in both places", () => {
    const shared = { url: "https://s.example" };
    expect(createPlainCopy({ one: shared, other: shared })).toEqual({ one: shared, other: shared });
  });
});

describe("no copy is made of a value", () => {
  test.each([
    {
      name: "that cannot be read",
      value: {
        targets: {
          get staging() {
            throw new Error("boo");
          },
        },
      },
      says: "targets.staging cannot be read: boo",
    },
    { name: "that contains itself", value: holdsItself(), says: "targets.again contains itself" },
    {
      name: "without an end that is worth waiting for",
      value: manifold(),
      says: "it contains more than 100,000 objects",
    },
  ])("$name", ({ value, says }) => {
    expect(() => createPlainCopy(value)).toThrow(says);
  });
});

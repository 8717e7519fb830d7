import { describe, expect, test } from "vitest";
import { exchangeRecord } from "../testing/judge-streams.ts";
import { integerParameter, sameSearch, searchQuery } from "./search-query.ts";

const at = (url: string) => ({ record: exchangeRecord({ url }) });

describe("the parameters of a search", () => {
  test("are those of its address", () => {
    expect([...searchQuery(at("http://code.example/?q=a%20b&t=c").record)]).toEqual([
      ["q", "a b"],
      ["t", "c"],
    ]);
  });

  test("are none of an address that cannot be parsed", () => {
    expect([...searchQuery(at("?q=a").record)]).toEqual([]);
  });

  test.each<{ text: string; integer: number | undefined }>([
    { text: "5", integer: 5 },
    { text: "-1", integer: -1 },
    { text: "0", integer: 0 },
    { text: "123456789", integer: 123_456_789 },
    { text: "1234567890", integer: undefined },
    { text: "", integer: undefined },
    { text: "-", integer: undefined },
    { text: "--1", integer: undefined },
    { text: "5 ", integer: undefined },
    { text: " 5", integer: undefined },
    { text: "5.5", integer: undefined },
    { text: "many", integer: undefined },
  ])("may be integers: `$text` is $integer", ({ text, integer }) => {
    expect(integerParameter(new Map([["display", text]]), "display")).toBe(integer);
  });

  test("are no integers where they are missing", () => {
    expect(integerParameter(new Map([["cl", "5"]]), "display")).toBeUndefined();
    expect(integerParameter(new URLSearchParams("cl=5"), "display")).toBeUndefined();
  });

  test("make two searches the same in any order, and whoever is asked", () => {
    expect(sameSearch(at("http://code.example/?q=a&t=b"))).toBe(sameSearch(at("http://other.example/?t=b&q=a")));
    expect(sameSearch(at("http://code.example/?q=a&t=b"))).not.toBe(sameSearch(at("http://code.example/?q=a")));
  });
});

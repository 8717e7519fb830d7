import { describe, expect, test } from "vitest";
import { checkParameters } from "./search-parameters.ts";

const check = (query: string) => checkParameters(new URLSearchParams(query));

describe("good parameters", () => {
  test.each([
    { query: "q=x", parameters: { patternType: "standard", chunkMatches: false, context: { before: 1, after: 1 } } },
    { query: "q=x&v=V1", parameters: { patternType: "regexp" } },
    { query: "q=x&v=V2", parameters: { patternType: "literal" } },
    { query: "q=x&v=nonsense&t=keyword", parameters: { patternType: "keyword" } },
    { query: "q=x&t=&v=&display=&cl=&cm=&max-line-len=", parameters: { patternType: "standard" } },
    { query: "q=x&cm=t&cl=0", parameters: { chunkMatches: true, context: { before: 0, after: 0 } } },
    { query: "q=x&cm=False", parameters: { chunkMatches: false } },
    { query: "q=x&display=%2B7", parameters: { display: 7 } },
    { query: "q=x&display=0", parameters: { display: 0 } },
    { query: "q=x&max-line-len=80", parameters: { maxLineBytes: 80 } },
    { query: "q=first&q=second&unknown=1", parameters: { q: "first" } },
  ])("$query", ({ parameters, query }) => {
    expect(check(query)).toMatchObject({ ok: true, parameters });
  });

  test.each(["display=-1", "display=-9", "max-line-len=-1", "max-line-len=0"])("%s sets no limit", (query) => {
    expect(Object.keys(Object(check(`q=x&${query}`)).parameters)).toEqual([
      "q",
      "patternType",
      "chunkMatches",
      "context",
    ]);
  });
});

describe("bad parameters", () => {
  test.each([
    ["", "no query found"],
    ["q=&display=x", "no query found"],
    ["q=x&display=1.5", 'display must be an integer, got "1.5": strconv.Atoi: parsing "1.5": invalid syntax'],
    [
      "q=x&display=9223372036854775808",
      'display must be an integer, got "9223372036854775808": strconv.Atoi: parsing "9223372036854775808": value out of range',
    ],
    [
      "q=x&display=3&max-line-len=z",
      'max-line-len must be an integer, got "3": strconv.Atoi: parsing "z": invalid syntax',
    ],
    [
      "q=x&cm=yes",
      'chunk matches must be parseable as a boolean, got "yes": strconv.ParseBool: parsing "yes": invalid syntax',
    ],
    [
      "q=x&cl=-1",
      'context lines must be parseable as a boolean, got "-1": strconv.ParseUint: parsing "-1": invalid syntax',
    ],
    [
      "q=x&cl=4294967296",
      'context lines must be parseable as a boolean, got "4294967296": strconv.ParseUint: parsing "4294967296": value out of range',
    ],
    ["q=x&sm=a", 'search mode must be integer, got "a": strconv.Atoi: parsing "a": invalid syntax'],
    ["q=x&t=exact", 'unrecognized patternType "exact"'],
    ["q=x&v=V4", 'unrecognized version: want "V1", "V2", or "V3", got "V4"'],
    ["q=x&v=__proto__", 'unrecognized version: want "V1", "V2", or "V3", got "__proto__"'],
    ["q=x&cl=x&cm=x&display=x", 'display must be an integer, got "x": strconv.Atoi: parsing "x": invalid syntax'],
  ])("%s", (query, message) => {
    expect(check(query)).toEqual({ ok: false, message });
  });
});

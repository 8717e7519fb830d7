import { expect, test } from "vitest";
import { searchUrl } from "./search-url.ts";

const base = "https://code.example/below";

test.each([
  { name: "its query", text: "a b&c=d", settings: {}, expected: "q=a%20b%26c%3Dd&v=V3" },
  {
    name: "exhaustive, with much context",
    text: "error",
    settings: { isExhaustive: true },
    expected: "q=error%20count%3Aall&v=V3&cm=true&cl=10",
  },
  {
    name: "no second count",
    text: "count:5000 error",
    settings: { isExhaustive: true },
    expected: "q=count%3A5000%20error&v=V3&cm=true&cl=10",
  },
])("a search asks for $name", ({ text, settings, expected }) => {
  expect(searchUrl(base, text, settings)).toBe(`${base}/.api/search/stream?${expected}`);
});

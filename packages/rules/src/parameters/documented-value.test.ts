import { expect, test } from "vitest";
import { hasDocumentedParameters } from "./documented-value.ts";

test.each([
  { query: "q=a", is: false },
  { query: "", is: false },
  { query: "q=a&v=V3", is: true },
  { query: "v=V3", is: true },
  { query: "q=a&v=v3", is: false },
  { query: "q=a&t=keyword", is: true },
  { query: "q=a&t=literal", is: false },
  { query: "q=a&cm=true", is: true },
  { query: "q=a&cm=false", is: true },
  { query: "q=a&cm=t", is: false },
  { query: "q=a&cm=untrue", is: false },
  { query: "q=a&cm=falsely", is: false },
  { query: "q=a&display=-1", is: true },
  { query: "q=a&display=0", is: true },
  { query: "q=a&display=123456789", is: true },
  { query: "q=a&display=1234567890", is: false },
  { query: "q=a&display=-2", is: false },
  { query: "q=a&display=-10", is: false },
  { query: "q=a&display=1.5", is: false },
  { query: "q=a&display=", is: false },
  { query: "q=a&max-line-len=-1", is: true },
  { query: "q=a&max-line-len=80", is: true },
  { query: "q=a&max-line-len=-2", is: false },
  { query: "q=a&cm=true&cl=0", is: true },
  { query: "q=a&cm=true&cl=12", is: true },
  { query: "q=a&cm=true&cl=-1", is: false },
  { query: "q=a&cm=true&cl=1a", is: false },
  { query: "q=a&cm=true&cl=a1", is: false },
  { query: "q=a&cm=true&sm=1", is: false },
  { query: "q=a&toString=1", is: false },
])("that $query sets documented parameters to documented values is $is", ({ query, is }) => {
  expect(hasDocumentedParameters(new URLSearchParams(query))).toBe(is);
});

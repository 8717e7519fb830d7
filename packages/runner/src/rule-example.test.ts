import { ruleIds } from "@assay/contract";
import { expect, test } from "vitest";
import { ruleExamples } from "./testing/rule-examples.ts";

const examples = await ruleExamples();

test("the examples are those of the recorded runs; `npm run rule-catalogue` writes them", async () => {
  const lines = Object.entries(examples).map(([id, example]) => `${JSON.stringify(id)}:${JSON.stringify(example)}`);
  const file = new URL("../rule-examples.json", import.meta.url).pathname;
  await expect(`{\n${lines.join(",\n")}\n}\n`).toMatchFileSnapshot(file);
});

test.each(ruleIds)("%s has an example that passes and one that fails", (id) => {
  const example = examples[id];
  expect(example?.what).toMatch(/^[a-z]/u);
  expect(example?.request).toMatch(/^(GET|POST|DELETE) \//u);
  // This example describes a missing document in words.
  const isSame = JSON.stringify(example?.passes) === JSON.stringify(example?.fails);
  expect(isSame).toBe(id === "current/openapi-schema-describes-operations");
});

test("the bytes of an example differ at its offset", () => {
  const shown = Object.values(examples).filter(({ offset }) => offset !== undefined);
  expect(shown.filter(({ passes, fails }) => passes.bytes === fails.bytes)).toEqual([]);
  expect(shown.length).toBeGreaterThan(150);
});

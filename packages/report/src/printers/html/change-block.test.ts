import type { ChangedVerdict, RunChange } from "@assay/results";
import { h } from "preact";
import { render } from "preact-render-to-string";
import { describe, expect, test } from "vitest";
import { ChangeBlock } from "./change-block.tsx";

const change: RunChange = {
  baseline: { id: "20260101-a", target: "https://search.example.com", startedAt: "2026-01-01T03:04:05.000Z" },
  sentence: "nothing changed",
  broken: [],
  fixed: [],
  stillBroken: [],
  noLongerSeen: [],
  newlySeen: [],
  caveats: [],
};
const verdict: ChangedVerdict = {
  rule: "stream/two-fields",
  interface: "stream",
  operation: "search",
  title: "Every event has two fields",
  before: "passed",
  after: "warned",
};
const markup = (part: Partial<RunChange>): string => render(h(ChangeBlock, { change: { ...change, ...part } }));

describe("what changed since the baseline", () => {
  test.each([
    ["broken", "Fails now (1)"],
    ["fixed", "Passes again (1)"],
    ["stillBroken", "Still fails (1)"],
    ["accepted", "Fails as before, accepted now (1)"],
    ["changedOther", "Changed, passing in both (1)"],
    ["noLongerSeen", "No longer tested, or not selected (1)"],
    ["newlySeen", "Newly tested (1)"],
  ] as const)("lists what is %s, with how it stood and stands", (list, title) => {
    const text = markup({ [list]: [verdict] });
    expect([text.includes(title), text.includes("passed → warned"), text.includes("stream/two-fields")]).toEqual([
      true,
      true,
      true,
    ]);
  });

  test("is only a sentence if nothing changed", () => {
    expect([markup({}).includes("nothing changed"), markup({}).includes("<details>")]).toEqual([true, false]);
  });
});

import { describe, expect, test } from "vitest";
import { renderRuleCatalogue } from "./render-rule-catalogue.ts";
import type { CataloguedRule } from "./render-rule-catalogue.ts";

const rule: CataloguedRule = {
  id: "stream/two-fields",
  basis: "stated",
  title: "Every event has exactly the fields `event` and `data`",
  interface: "stream",
  operation: "search",
  requirements: [{ id: "search-stream#6.1-two-fields", section: "6", text: "An event consists of two fields." }],
  mustTestIn: ["smoke", "gate"],
  faults: ["comment", "third-field"],
};

const pageOf = (part: Partial<CataloguedRule>): string =>
  renderRuleCatalogue([{ title: "Streams", rules: [{ ...rule, ...part }] }]);

describe("the page of the catalogue", () => {
  test("has for each rule its title, basis, requirements, profiles and how to see it fail", () => {
    expect(pageOf({}).slice(pageOf({}).indexOf("## Streams"))).toBe(
      [
        "## Streams",
        "",
        "### `stream/two-fields`",
        "",
        "Every event has exactly the fields `event` and `data`.",
        "",
        "Basis: **stated**; about: stream, search.",
        "",
        "- [section 6](requirements-search-stream.md#6.1-two-fields), `search-stream#6.1-two-fields`: An event consists of two fields.",
        "",
        "Must be tested in the profiles `smoke`, `gate`.",
        "",
        "To see it fail: `assay run --rule stream/two-fields --fault comment`; other faults: `third-field`.",
        "",
      ].join("\n"),
    );
  });

  test("says how to see the report of an observed rule, which never fails", () => {
    expect(pageOf({ basis: "observed" })).toContain("To see it report: ");
  });

  test.each([
    ["no profile requires it", { mustTestIn: [] }, "Must be tested"],
    ["no fault breaks it", { faults: [] }, "To see it"],
  ])("says nothing where %s", (_why, part, words) => {
    expect([pageOf({}).includes(words), pageOf(part).includes(words)]).toEqual([true, false]);
  });

  test("counts the rules of all chapters", () => {
    const chapters = [
      { title: "A", rules: [rule] },
      { title: "B", rules: [{ ...rule, id: "legacy/two-fields" }] },
    ];
    expect(renderRuleCatalogue(chapters)).toContain("\n2 rules. ");
  });
});

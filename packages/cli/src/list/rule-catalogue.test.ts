import { ruleCatalogue } from "@assay/contract";
import { renderRuleCatalogue } from "@assay/report";
import { describe, expect, test } from "vitest";
import { ruleChapters } from "../testing/rule-chapters.ts";

const page = renderRuleCatalogue(ruleChapters());

describe("the catalogue of rules in the guides", () => {
  test("is current; `npm run rule-catalogue` writes it again", async () => {
    await expect(page).toMatchFileSnapshot(new URL("../../docs/rules.md", import.meta.url).pathname);
  });

  test("has a heading for each rule, in the order of the catalogue", () => {
    const headings = [...page.matchAll(/^### `([^`]+)`$/gmu)].map(([, id]) => id);
    expect(headings).toEqual(ruleCatalogue.map(({ id }) => id));
  });

  test("tells for each rule how to see it fail or report", () => {
    const parts = page.split(/^### /mu).slice(1);
    expect(parts.filter((part) => !/To see it (fail|report): /u.test(part))).toEqual([]);
  });
});

import { allRequirements, unspecifiedBehaviour } from "@assay/contract";
import { renderUnspecifiedRegister, renderRequirements } from "@assay/report";
import { describe, expect, test } from "vitest";
import { commandPage } from "../testing/command-pages.ts";
import { unspecifiedChapters, outsideOfRules, specifications } from "../testing/requirement-pages.ts";

const guide = (name: string): string => new URL(`../../docs/${name}`, import.meta.url).pathname;

describe("pages that `npm run rule-catalogue` writes", () => {
  test.each(specifications())("requirements-$name.md is current", async (specification) => {
    await expect(renderRequirements(specification)).toMatchFileSnapshot(guide(`requirements-${specification.name}.md`));
  });

  test("not-covered.md is current", async () => {
    await expect(renderUnspecifiedRegister(outsideOfRules, unspecifiedChapters())).toMatchFileSnapshot(
      guide("not-covered.md"),
    );
  });

  test("commands.md is current", async () => {
    await expect(await commandPage()).toMatchFileSnapshot(guide("commands.md"));
  });
});

describe("the requirement pages", () => {
  const pages = specifications();

  test("hold every requirement, each in a section with a topic", () => {
    expect(pages.flatMap(({ requirements }) => requirements)).toEqual(allRequirements);
    const withoutTopic = pages.flatMap(({ requirements, sectionTitles }) =>
      requirements.filter(({ section }) => sectionTitles[section] === undefined).map(({ id }) => id),
    );
    expect(withoutTopic).toEqual([]);
  });

  test("have no topic of a section that does not exist", () => {
    const unused = pages.flatMap(({ requirements, sectionTitles }) =>
      Object.keys(sectionTitles).filter((section) => requirements.every((each) => each.section !== section)),
    );
    expect(unused).toEqual([]);
  });
});

test("not-covered.md holds every behaviour", () => {
  const listed = unspecifiedChapters().flatMap(({ unspecified }) => unspecified.map(({ id }) => id));
  expect(new Set(listed)).toEqual(new Set(unspecifiedBehaviour.map(({ id }) => id)));
  expect(listed).toHaveLength(unspecifiedBehaviour.length);
});

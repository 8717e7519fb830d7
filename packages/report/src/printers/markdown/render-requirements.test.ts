import { describe, expect, test } from "vitest";
import { renderRequirements } from "./render-requirements.ts";
import type { ListedRequirement } from "./render-requirements.ts";

const requirement: ListedRequirement = {
  id: "search-stream#6.1-two-fields",
  section: "6",
  text: "An event consists of two fields.",
  coverage: { kind: "rules", rules: ["stream/two-fields", "stream/lines-end-with-lf"] },
};

const pageOf = (...requirements: readonly ListedRequirement[]): string =>
  renderRequirements({
    name: "search-stream",
    title: "Streaming search",
    sectionTitles: { "6": "format of events", "7": "errors" },
    requirements,
  });

describe("the page of requirements of a specification", () => {
  test("have an anchor for each section and each requirement, and link to the rules that check them", () => {
    const page = pageOf(requirement, { ...requirement, id: "search-stream#7.1-alerts", section: "7" });
    expect(page).toContain("- [§6 format of events](#section-6)\n- [§7 errors](#section-7)\n");
    expect(page).toContain('<a id="section-6"></a>\n\n## search-stream §6: format of events\n');
    expect(page).toContain(
      [
        '- <a id="6.1-two-fields"></a>`search-stream#6.1-two-fields`: An event consists of two fields.',
        "  Checked by [`stream/two-fields`](rules.md#streamtwo-fields), [`stream/lines-end-with-lf`](rules.md#streamlines-end-with-lf).",
      ].join("\n"),
    );
  });

  test.each([
    [
      { kind: "rules", rules: ["stream/a"], partly: "how soon" },
      "[`stream/a`](rules.md#streama). Not checked: how soon.",
    ],
    [
      { kind: "unspecified", behaviour: "stream/alert-level" },
      "Unspecified behaviour: [`stream/alert-level`](not-covered.md#streamalert-level).",
    ],
    [{ kind: "not-observable", reason: "nothing shows it" }, "Cannot be checked: nothing shows it."],
  ] as const)("say what is done about each: %o", (coverage, words) => {
    expect(pageOf({ ...requirement, coverage })).toContain(words);
  });
});

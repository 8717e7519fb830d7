import { Script } from "node:vm";
import { allRequirements } from "@assay/contract";
import { h } from "preact";
import { renderToStaticMarkup } from "preact-render-to-string";
import { describe, expect, test } from "vitest";
import { formatInstant } from "../../document/instant-text.ts";
import { Prose } from "./prose.tsx";
import { pageScript } from "./script.ts";
import { getSpecificationName, getSectionName, getTopSection } from "../../document/section-names.ts";
import { pageStyle } from "./style.ts";

test.each([
  ["2026-01-02T03:04:05.678Z", "2026-01-02 03:04:05 UTC"],
  ["2026-01-02T03:04:05Z", "2026-01-02 03:04:05 UTC"],
  ["yesterday\n", "yesterday\\n"],
])("the instant %j is read as %j", (instant, text) => {
  expect(formatInstant(instant)).toBe(text);
});

test.each([
  ["names are set as code", "the field `a` of `b`", "the field <code>a</code> of <code>b</code>"],
  ["a backtick without its pair stays", "a ` b", "a ` b"],
  ["markup stays text, also as code", "`<b>` & <i>", "<code>&lt;b></code> &amp; &lt;i>"],
])("%s", (_what, text, markup) => {
  expect(renderToStaticMarkup(h(Prose, { text }))).toBe(markup);
});

describe("sections", () => {
  test("every section of both specifications has a name", () => {
    const nameless = allRequirements.filter(
      ({ specification, section }) => getSectionName(specification, section) === "",
    );
    expect(nameless).toEqual([]);
  });

  test.each(["toString", "__proto__", ""])(
    "an unknown specification %j has its id as name and no sections",
    (specification) => {
      expect(getSpecificationName(specification)).toBe(specification);
      expect(getSectionName(specification, "1")).toBe("");
      expect(getSectionName("search-stream", specification)).toBe("");
    },
  );

  test("a subsection belongs to its top section", () => {
    expect(getTopSection("2.3")).toBe("2");
  });
});

describe("the script", () => {
  test("parses", () => {
    expect(() => new Script(pageScript)).not.toThrow();
  });

  test("writes no markup, runs no text, and makes no requests", () => {
    expect(pageScript).not.toMatch(
      /innerHTML|outerHTML|insertAdjacentHTML|document\.write|eval\(|new Function|fetch\(|XMLHttpRequest|import\(|<\//u,
    );
  });
});

test("the style sheet imports nothing and cannot be ended early", () => {
  expect(pageStyle).not.toMatch(/url\(|@import|@font-face|<\//u);
  expect(pageStyle.split("{")).toHaveLength(pageStyle.split("}").length);
});

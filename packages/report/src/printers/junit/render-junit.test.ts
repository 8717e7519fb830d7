import { describe, expect, test } from "vitest";
import { renderJunit } from "./render-junit.ts";
import { hostileStrings } from "../../testing/hostile-strings.ts";
import { elementsNamed, parseXml } from "../../testing/parse-xml.ts";
import { commentFinding, resultOf, sampleRules, withVerdict } from "../../testing/sample-results.ts";
import { escapeForXml } from "./xml-text.ts";
import type { Verdict } from "@assay/results";

const kindsOf = (xml: string) =>
  elementsNamed(parseXml(xml), "testcase")
    .filter(({ children }) => children.length > 0)
    .map(({ attributes, children }) => [attributes.get("name"), ...children.map(({ name }) => name)]);

test("a limit is an error, and so is the run", () => {
  const verdict: Verdict = { outcome: "blocked", blockedBy: "limit", missing: "a line too long" };
  expect(kindsOf(renderJunit(resultOf({ verdicts: withVerdict("two-fields", verdict) })))).toEqual([
    ["the run is complete and conclusive", "error"],
    ["stream/two-fields", "error"],
  ]);
});

test.each([
  ["nothing was selected", { verdicts: [] }],
  ["the run ran into its deadline", { incomplete: [{ code: "deadline", message: "60 s" }] as const }],
  ["the harness has a bug", { harnessError: "thrown" }],
  ["somebody interrupted it", { interrupted: "SIGINT" as const }],
  ["something is left on the target", { cleanupFailure: "1 left" }],
  ["a threshold was missed", { performance: "failed" as const }],
])("a file is red although no rule fails: %s", (_name, facts) => {
  const [error] = elementsNamed(parseXml(renderJunit(resultOf(facts))), "error");
  expect(error?.attributes.get("message")).toContain("exit code");
});

describe("well-formed with any text of a target", () => {
  test.each(hostileStrings.map((text) => [text.slice(0, 40), text] as const))("%j", (_name, text) => {
    const finding = {
      ...commentFinding,
      message: text,
      curl: text,
      excerpt: { offset: 0, before: text, marked: text, after: text },
    };
    const verdicts = withVerdict(
      "two-fields",
      { outcome: "failed", findings: [finding], moreFindings: 0 },
      { title: text },
    );
    const result = resultOf({ verdicts, incomplete: [{ code: "limit", message: text }] });
    expect(elementsNamed(parseXml(renderJunit(result)), "testcase")).toHaveLength(sampleRules.length + 1);
  });
});

test.each([
  ["]]>]]>", "]] >]] >"],
  ["\u0000\uD800\uFFFE", "\\u{0}\\u{d800}\\u{fffe}"],
  ["tab\tand\nline 🚀", "tab\tand\nline 🚀"],
])("%j is written into XML as %j", (text, written) => {
  expect(escapeForXml(text)).toBe(written);
});

test("the strict parser of these tests rejects malformed documents", () => {
  const broken = [
    "<a>",
    "<a></b>",
    "<a>&x</a>",
    "<a>]]></a>",
    "<a/><b/>",
    "<a/>x",
    '<a b="1" b="2"/>',
    "<a>\u0001</a>",
    '<a b="<"/>',
  ];
  const refused = broken.filter((source) => {
    try {
      parseXml(source);
      return false;
    } catch {
      return true;
    }
  });
  expect(refused).toEqual(broken);
  expect(parseXml('<?xml version="1.0"?>\n<a b="&lt;&#xA;"><![CDATA[<x>&]]></a>').text).toBe("<x>&");
});

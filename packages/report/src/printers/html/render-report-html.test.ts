import { createHash } from "node:crypto";
import { repetitions } from "@assay/tools/proving";
import type { RunResult } from "@assay/results";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { outcomeWords } from "../../document/outcome-words.ts";
import { anyRunResult } from "../../testing/arbitrary-run-result.ts";
import { drawnLoad } from "../../testing/figure-load.ts";
import { comparisonOf, loadOf } from "../../testing/sample-load.ts";
import { fullRun, largeRun } from "../../testing/sample-report.ts";
import { resultOf } from "../../testing/sample-results.ts";
import { sampleChange } from "../../testing/sample-timelines.ts";
import { hiddenCharacters } from "../../testing/styles.ts";
import { withTexts } from "../../testing/with-texts.ts";
import { hostileStrings } from "../../testing/hostile-strings.ts";
import { renderReportHtml } from "./render-report-html.ts";
import type { ReportInput } from "../../document/report-input.ts";

const pageOf = (result: RunResult): string => renderReportHtml({ runs: [{ result }], loads: [], comparisons: [] });

const withoutScriptAndStyle = (page: string): string =>
  page.replace(/<style>.*?<\/style>/su, "").replace(/<script>.*?<\/script>/su, "");

/** Every tag with its attributes. All text is escaped, so each `<` begins a tag. */
const tagsOf = (page: string): readonly string[] => withoutScriptAndStyle(page).match(/<(?:"[^"]*"|[^">])*>/gu) ?? [];

type Tags = readonly string[];

const namesOfAttributes = (tags: Tags): readonly string[] => [
  ...new Set(tags.flatMap((tag) => tag.replaceAll(/"[^"]*"/gu, "").match(/(?<=\s)[a-z:-]+(?==)/giu) ?? [])),
];

const attributesOf = (tags: Tags, name: string): readonly string[] => {
  const pattern = new RegExp(`\\s${name}="([^"]*)"`, "gu");
  return tags.flatMap((tag) => [...tag.matchAll(pattern)].map(([, value]) => value ?? ""));
};

const knownTags = new Set(
  [
    "!doctype html",
    "html",
    "head",
    "meta",
    "title",
    "body",
    "a",
    "header",
    "h1",
    "h2",
    "h3",
    "h4",
    "nav",
    "main",
    "section",
    "div",
  ]
    .concat([
      "p",
      "ul",
      "ol",
      "li",
      "dl",
      "dt",
      "dd",
      "span",
      "small",
      "b",
      "i",
      "strong",
      "code",
      "pre",
      "mark",
      "button",
      "blockquote",
      "cite",
    ])
    .concat([
      "table",
      "caption",
      "thead",
      "tbody",
      "tr",
      "th",
      "td",
      "details",
      "summary",
      "article",
      "label",
      "input",
      "output",
      "link",
      "kbd",
    ])
    .concat([
      "svg",
      "g",
      "rect",
      "path",
      "line",
      "circle",
      "text",
      "tspan",
      "desc",
      "figure",
      "figcaption",
      "polygon",
      "defs",
    ])
    .concat(["clipPath", "marker", "polyline", "ellipse", "pattern", "use"]),
);

const unknownTags = (tags: Tags): readonly string[] =>
  tags.map((tag) => /^<\/?(!?[\w-]+(?: html)?)/u.exec(tag)?.[1] ?? tag).filter((name) => !knownTags.has(name));

const forbiddenAttributes = (tags: Tags): readonly string[] =>
  namesOfAttributes(tags).filter((name) => /^(?:style|on.*|src.*|action|formaction|.*:href)$/iu.test(name));

const deadLinks = (tags: Tags): readonly string[] => {
  const known = new Set(attributesOf(tags, "id").map((id) => `#${id}`));
  return attributesOf(tags, "href").filter((href) => !known.has(href) && !href.startsWith("data:image/svg+xml,"));
};

const repeatedIds = (tags: Tags): readonly string[] => {
  const seen = new Set<string>();
  return attributesOf(tags, "id").filter((id) => seen.size === seen.add(id).size);
};

const slips = (body: string): readonly string[] =>
  [...body.matchAll(/undefined|\bNaN\b|\[object/gu)].map(({ index }) =>
    body.slice(Math.max(0, index - 40), index + 40),
  );

/** Problems that no page may have, one line each. */
const faultsOf = (page: string): readonly string[] => {
  const tags = tagsOf(page);
  return [
    ...(page.match(/<script\b/giu)?.length === 1 ? [] : ["not one script"]),
    ...(page.match(/<style\b/giu)?.length === 1 ? [] : ["not one style"]),
    ...unknownTags(tags).map((tag) => `the tag ${tag}`),
    ...forbiddenAttributes(tags).map((name) => `the attribute ${name}`),
    ...deadLinks(tags).map((href) => `a link to ${href}`),
    ...repeatedIds(tags).map((id) => `twice the id ${id}`),
    ...hiddenCharacters(page).map((character) => `the character ${character.codePointAt(0)}`),
    ...slips(withoutScriptAndStyle(page)),
  ];
};

test("the page of every run is valid, the same twice, and has the outcome and the exit code", () => {
  fc.assert(
    fc.property(anyRunResult, (result) => {
      const page = pageOf(result);
      const { word } = outcomeWords[result.outcome];
      expect(faultsOf(page)).toEqual([]);
      expect(page).toMatch(new RegExp(`</i>${word}</h2><span class="exit">exit code ${result.exitCode}</span>`, "iu"));
      expect(pageOf(structuredClone(result)) === page).toBe(true);
    }),
    { numRuns: repetitions(10, 30) },
  );
});

const everything: ReportInput = { runs: [fullRun], loads: [loadOf()], comparisons: [comparisonOf()] };

describe("a page with everything", () => {
  const page = renderReportHtml(everything);

  test("is valid", () => {
    expect(faultsOf(page)).toEqual([]);
  });

  test("allows only its own script and style, by digest", () => {
    const digest = (text: string) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
    const script = /<script>(.*?)<\/script>/su.exec(page)?.[1] ?? "";
    const style = /<style>(.*?)<\/style>/su.exec(page)?.[1] ?? "";
    expect(page).toContain(
      `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src ${digest(style)}; img-src data:; script-src ${digest(script)}; base-uri 'none'; form-action 'none'">`,
    );
  });

  test.each([
    ["the sentence of what changed", "1 rule fails that passed in run 20260101-030405-abcd"],
    ["why it is incomplete", "the run took longer than 60 s"],
    ["mistakes in the known failures", "known.txt, line 9"],
    ["known failures that did not show", "field.txt, line 2"],
    ["the marked bytes", "<mark>: keep-alive</mark>"],
    ["the heads of the exchange", "accept: text/event-stream\nauthorization: token REDACTED"],
    ["the command", "curl -sN -H"],
    ["a known failure's reason", "The proxy in front of staging sends a comment as keep-alive."],
    ["why a rule could not run", "limit of Assay: a line of more than 64 MiB"],
    ["the permitted choices", "stream/field-order"],
    ["the OpenAPI document", "http://127.0.0.1:3080/api-reference/openapi.yaml"],
    ["what a document says", "An event consists of the fields"],
  ])("holds %s", (_what, text) => {
    expect(page).toContain(text);
  });
});

test("findings come directly after the verdict, and each has four copy buttons", () => {
  const page = renderReportHtml({ runs: [fullRun], loads: [], comparisons: [] });
  const parts = [...page.matchAll(/<section class="part" id="(.*?)"/gu)].map(([, id]) => id);
  expect(parts[0]).toBe("r1-failures");
  const finding = /<li id="stream\/two-fields-0".*?<\/li>/su.exec(page)?.[0] ?? "";
  expect(finding).toContain("<mark>: keep-alive</mark>");
  expect([...finding.matchAll(/data-copy="[^"]+" hidden>([^<]+)</gu)].map(([, label]) => label)).toEqual([
    "Copy curl",
    "Copy accept command",
    "Copy known-failure entry",
    "Copy as issue",
  ]);
  expect(finding).toContain(`stream/two-fields:comment --until 2026-02-01 --reason &quot;…&quot;"`);
  expect(finding).toContain(
    "# REASON: why this failure is accepted\n# owner: OWNER   expires: 2026-02-01\nstream/two-fields:comment   http://127.0.0.1:*\n",
  );
  expect(finding).toContain("A proxy that sends comments to keep the connection open.");
});

test("text of a target is not markup in the Markdown of an issue", () => {
  const hostile = "``` \n# heading\n@somebody <img src=x> [link](javascript:alert(1))";
  const page = renderReportHtml({ runs: [withTexts(fullRun, () => hostile)], loads: [], comparisons: [] });
  const issues = [...page.matchAll(/data-copy="([^"]*)" hidden>Copy as issue/gu)].map(([, text]) => text ?? "");
  expect(issues.length).toBeGreaterThan(0);
  for (const issue of issues) {
    const outside = issue
      .replaceAll(/^(`{3,})text$.*?^\1$/gmsu, "")
      .replaceAll(/(?<!`)(`+)(?!`).*?(?<!`)\1(?!`)/gsu, "");
    expect(outside).not.toMatch(/`|^#|@[a-z]|<img|\[link/mu);
  }
  expect(issues.join("\n")).toMatch(/^````text$/mu);
});

test("a finding links to the explanation of its rule, and says why it matters", () => {
  const page = renderReportHtml({ runs: [fullRun], loads: [], comparisons: [] });
  const card = /<article [^>]*id="stream\/two-fields".*?<\/article>/su.exec(page)?.[0] ?? "";
  expect(card).toContain('<a href="#stream/two-fields-rule">about this rule</a>');
  const [shown = "", explained = ""] = card.split('<details class="explained" id="stream/two-fields-rule">');
  expect(shown).toContain("<b>Why it matters:</b> Browsers' EventSource skips comments");
  expect(shown.match(/<blockquote>/gu)).toHaveLength(1);
  expect(explained).toContain("<code>npx assay explain stream/two-fields</code>");
  expect(explained).toContain("In Assay since version 0.1.0.");
});

test("findings of one kind are shown once with their count", () => {
  const page = renderReportHtml({ runs: [largeRun()], loads: [], comparisons: [] });
  const card = /<article .*?<\/article>/su.exec(page)?.[0] ?? "";
  expect(card.match(/<pre class="bytes">/gu)).toHaveLength(1);
  expect(card).toContain("one of 500 of this kind");
});

test("every standing has its own sign and word in the map and in the table", () => {
  const page = renderReportHtml({ runs: [fullRun], loads: [], comparisons: [] });
  const squares = [...page.matchAll(/<a class="sq s-([a-z-]+)"[^>]*>([^<]+)<\/a>/gu)].map(
    ([, standing, sign]) => `${standing} ${sign}`,
  );
  expect([...new Set(squares)].toSorted()).toEqual([
    "blocked !",
    "failed ✗",
    "fixed ✦",
    "known-failure ≈",
    "not-applicable –",
    "not-tested ?",
    "passed ✓",
    "warned ~",
  ]);
});

test.each(hostileStrings.map((text) => [JSON.stringify(text).slice(0, 40), text]))(
  "a page in which every text is %s is sound",
  (_name, text) => {
    const run = withTexts(fullRun, () => text);
    const load = withTexts(drawnLoad({ comparison: comparisonOf(), violations: { [text]: 3 } }), () => text);
    const comparison = withTexts(comparisonOf(), () => text);
    const input = { title: text, runs: [run, run], loads: [load, load], comparisons: [comparison] };
    expect(faultsOf(renderReportHtml(input))).toEqual([]);
  },
);

test.each(["passed", "failed", "incomplete", "cleanup-incomplete"] as const)(
  "the icon of a page that ended as %s is a picture of its own, in the page itself",
  (outcome) => {
    const page = pageOf({ ...resultOf(), outcome });
    const icons = /<link rel="icon" href="data:image\/svg\+xml,([^"]+)">/u.exec(page)?.[1] ?? "";
    const svg = decodeURIComponent(icons);
    expect(svg).toMatch(/^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" [^>]*>(?:<(?:rect|path) [^>]*\/>){2}<\/svg>$/u);
    const others = (["passed", "failed", "incomplete", "cleanup-incomplete"] as const).filter((one) => one !== outcome);
    expect(others.filter((one) => pageOf({ ...resultOf(), outcome: one }).includes(icons))).toEqual([]);
  },
);

test("an empty page says so", () => {
  expect(renderReportHtml({ runs: [], loads: [], comparisons: [] })).toContain("Nothing to report");
});

describe("a page of several runs", () => {
  const passed = { name: "before", result: resultOf() };
  const page = renderReportHtml({
    runs: [passed, { ...fullRun, name: "after" }, { result: largeRun().result }],
    loads: [loadOf()],
    comparisons: [],
  });
  const strip = /<section class="strip.*?<\/section>/su.exec(page)?.[0] ?? "";
  const ids = attributesOf(tagsOf(page), "id");

  test("is valid", () => {
    expect(faultsOf(page)).toEqual([]);
  });

  test("begins with the overview, and has their names in its title", () => {
    expect(strip).toContain('</i>Failed</h2><span class="exit">exit code 1, of all runs together</span>');
    expect(strip).toMatch(
      /2 of 4 runs failed, 2 passed; 2\d\d rules failed in some of them and not in others: <code>/u,
    );
    expect(strip.match(/<a href="#(?:r\d|l1)"><code>[^<]*/gu)).toEqual([
      '<a href="#r1"><code>before',
      '<a href="#r2"><code>after',
      '<a href="#r3"><code>abcd',
      '<a href="#l1"><code>load',
    ]);
    expect(page).toContain(
      "<title>✗ failed · assay · 4 runs of http://127.0.0.1:3080: before, after, abcd, load</title>",
    );
  });

  test("shows each rule that differs before the runs, since when and with its finding", () => {
    const row = /<tr id="stream\/two-fields".*?<\/tr>/su.exec(page)?.[0] ?? "";
    expect(row).toContain('<span class="story">failed in after: a comment line</span>');
    expect(page.indexOf(row)).toBeLessThan(page.indexOf('id="r1"'));
  });

  test("has each run folded, and links to rules in each of them", () => {
    expect(page.match(/<details class="strip run [^>]*id="r\d">/gu)).toHaveLength(3);
    expect(ids).toEqual(expect.arrayContaining(["r1/stream/two-fields", "r2/stream/two-fields", "r3/v995"]));
  });
});

test("two equal runs are called equal, and a baseline on the page has its name", () => {
  const change = { ...sampleChange, baseline: { ...sampleChange.baseline, id: fullRun.result.run.id } };
  const { run } = fullRun.result;
  const other = { ...fullRun, result: { ...fullRun.result, run: { ...run, id: "other" } } };
  const runs = [
    { ...fullRun, name: "one" },
    { ...other, name: "two", change: { ...change, sentence: `nothing changed since run ${change.baseline.id}` } },
  ];
  const page = renderReportHtml({ runs, loads: [], comparisons: [] });
  expect(faultsOf(page)).toEqual([]);
  expect(page).toContain("Every rule has the same verdict in all runs.");
  expect(page).toContain("nothing changed since <code>one</code>");
  expect(page).toContain("Failed in every run");
});

describe("a run of 1,000 verdicts and 200 failures", () => {
  const page = renderReportHtml({ runs: [largeRun()], loads: [], comparisons: [] });

  test("has a page below 2 MB", () => {
    expect(Buffer.byteLength(page)).toBeLessThan(2_000_000);
  });

  test("names every failed rule, and counts the findings that it left out", () => {
    const failing = largeRun().result.verdicts.filter(({ verdict }) => verdict.outcome === "failed");
    expect(failing).toHaveLength(200);
    const ids = new Set(attributesOf(tagsOf(page), "id"));
    expect(failing.filter(({ rule }) => !page.includes(`<code>${rule}</code>`))).toEqual([]);
    expect(ids.has("r1-v995")).toBe(true);
    expect(page).toContain("and 492 more findings");
  });

  test("has the same page twice", () => {
    expect(renderReportHtml({ runs: [largeRun()], loads: [], comparisons: [] })).toBe(page);
  });
});

test("texts of 100,000 characters are cut everywhere", () => {
  const run = withTexts(fullRun, (text) => `${text}${"<\"'&>".repeat(20_000)}`);
  const page = renderReportHtml({ runs: [run], loads: [], comparisons: [] });
  expect(faultsOf(page)).toEqual([]);
  expect(Buffer.byteLength(page)).toBeLessThan(1_500_000);
});

test("a page of ten runs stays below 1 MB", () => {
  const runs = Array.from({ length: 10 }, () => fullRun);
  const page = renderReportHtml({ runs, loads: [], comparisons: [] });
  expect(faultsOf(page)).toEqual([]);
  expect(Buffer.byteLength(page)).toBeLessThan(1_000_000);
});

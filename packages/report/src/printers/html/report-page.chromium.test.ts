import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { everyNth } from "@assay/tools/proving";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { hasChromium, launchChromium } from "../../testing/chromium.ts";
import { drawnLoad } from "../../testing/figure-load.ts";
import { comparisonOf } from "../../testing/sample-load.ts";
import { fullRun } from "../../testing/sample-report.ts";
import { commentFinding, resultOf, sampleRules, withVerdict } from "../../testing/sample-results.ts";
import { sampleTimelines } from "../../testing/sample-timelines.ts";
import { withTexts } from "../../testing/with-texts.ts";
import { renderReportHtml } from "./render-report-html.ts";
import type { ReportInput } from "../../document/report-input.ts";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

const hostile =
  '</script><script>alert(1)</script>"><img src=x onerror=alert(2)><a href="javascript:alert(3)">\u202E\u0000\u001B[31m';

const full: ReportInput = { runs: [fullRun], loads: [drawnLoad()], comparisons: [comparisonOf()] };
const load = drawnLoad({ comparison: comparisonOf(), violations: { [hostile]: 3 }, observations: { [hostile]: 1 } });
const madeHostile = <Value extends object>(value: Value): Value =>
  withTexts(value, (text) => `${text.slice(0, 40)}${hostile}`);

const { result } = fullRun;
const target = `http://${"code-search-".repeat(4)}example.test:3080`;
const manyRuns = (count: number): ReportInput => ({
  runs: Array.from({ length: count }, () => ({ result: { ...result, run: { ...result.run, target } } })),
  loads: [],
  comparisons: [],
});

const failedResult = resultOf({
  verdicts: withVerdict("two-fields", { outcome: "failed", findings: [commentFinding], moreFindings: 0 }),
});

const manyRules = Array.from({ length: 16 }, (_, at) =>
  sampleRules.map((rule) => ({ ...rule, rule: `${rule.rule}-${at}` })),
).flat();
const good = resultOf({ verdicts: manyRules });
/** Complete streams and allowed transitions. */
const goodTimelines = {
  ...sampleTimelines,
  streams: sampleTimelines.streams.filter(({ buffered, failure }) => buffered === undefined && failure === undefined),
  diagrams: sampleTimelines.diagrams.map(({ edges, ...diagram }) => ({
    ...diagram,
    beginnings: [],
    edges: edges.filter(({ standing }) => standing === "allowed"),
  })),
};

const refused =
  "cannot connect to 127.0.0.1:1: the connection was refused (ECONNREFUSED); check the port, and that the instance and its proxy are up";
const unreachable = resultOf({
  verdicts: manyRules.map((rule) => ({
    ...rule,
    verdict: { outcome: "not-tested", reason: "no response was received" },
  })),
  incomplete: [{ code: "unreachable", message: refused }],
});

/** Three loads of one plan; the second one fails a threshold. */
const mergedLoads = ["1", "2", "3"].map((tail, at) =>
  drawnLoad({
    run: { ...drawnLoad().run, id: `2026010${tail}T030405Z-abcde${tail}`, startedAt: `2026-01-0${tail}T03:04:05.000Z` },
    ...(at === 1
      ? {
          outcome: "performance-failed" as const,
          exitCode: 4,
          summary: "missed: `first-match p95 < 8` (24.8 ms)",
          thresholds: [{ threshold: "first-match p95 < 8", limitMs: 8, valueMs: 24.8, ok: false }],
        }
      : {}),
  }),
);

const pages = {
  full,
  good: { runs: [{ result: good, timelines: goodTimelines }], loads: [], comparisons: [] },
  unreachable: {
    runs: [{ result: { ...unreachable, run: { ...unreachable.run, target: "http://127.0.0.1:1", embedded: false } } }],
    loads: [],
    comparisons: [],
  },
  failed: { runs: [{ result: failedResult }], loads: [], comparisons: [] },
  four: { runs: [fullRun, { result: resultOf() }, { result }, { result: resultOf() }], loads: [], comparisons: [] },
  load: { runs: [], loads: [drawnLoad()], comparisons: [] },
  compared: { runs: [], loads: [drawnLoad({ comparison: comparisonOf() })], comparisons: [] },
  merged: { runs: [], loads: mergedLoads, comparisons: [] },
  three: manyRuns(3),
  five: manyRuns(5),
  twelve: manyRuns(12),
  several: { runs: [fullRun, { result: fullRun.result }], loads: [drawnLoad(), drawnLoad()], comparisons: [] },
  hostile: {
    title: hostile,
    runs: [madeHostile(fullRun)],
    loads: [madeHostile(load), madeHostile({ ...load, outcome: "incomplete" as const, complete: false })],
    comparisons: [madeHostile(comparisonOf())],
  },
} as const satisfies Record<string, ReportInput>;

describe.skipIf(!hasChromium())("in Chromium, from disk", () => {
  let folder: string;
  const addressOf = (name: keyof typeof pages): string => pathToFileURL(join(folder, `${name}.html`)).href;
  let browser: Browser;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "assay-report-"));
    browser = await launchChromium();
  });
  afterAll(async () => {
    await browser.close();
    rmSync(folder, { recursive: true });
  });

  /** Opens a page, acts on it, and returns console messages, errors, dialogs and requests, which our pages must not have. */
  const visit = async (
    name: keyof typeof pages,
    act: (page: Page) => Promise<void>,
    options: BrowserContextOptions = {},
  ): Promise<readonly string[]> => {
    const context = await browser.newContext({ reducedMotion: "reduce", ...options });
    const page = await context.newPage();
    const problems: string[] = [];
    page.setDefaultTimeout(300_000);
    page.on("console", (message) => problems.push(`console: ${message.text()}`));
    page.on("pageerror", (error) => problems.push(`error: ${error.message}`));
    page.on("dialog", (dialog) => {
      problems.push(`dialog: ${dialog.message()}`);
      void dialog.dismiss();
    });
    page.on("request", (request) => {
      problems.push(...(request.url().startsWith(addressOf(name)) ? [] : [`request: ${request.url()}`]));
    });
    writeFileSync(join(folder, `${name}.html`), renderReportHtml(pages[name]));
    await page.goto(addressOf(name));
    await act(page);
    await context.close();
    return problems;
  };

  /** Opens all folded parts, but only two of the many similar tables of requirements. */
  const openEverything = (page: Page): Promise<void> =>
    page.evaluate<void>(`
      for (const one of document.querySelectorAll("details:not(.covered), details.covered:nth-of-type(2)")) one.open = true;
    `);

  /** Serious violations found by axe. The policy of the page allows no other script, so axe is injected by the debugger. */
  const seriousIn = async (page: Page): Promise<string> => {
    await page.evaluate<void>(axe);
    return page.evaluate<string>(`axe.run(document, { resultTypes: ["violations"] }).then(({ violations }) => violations
      .filter(({ impact }) => impact === "serious" || impact === "critical")
      .map(({ id, nodes }) => id + ": " + nodes.slice(0, 3).map(({ html, any }) => html.slice(0, 160) + " " + (any[0]?.message ?? "")).join(" | "))
      .join("\\n"))`);
  };

  const looks = [
    { name: "light and wide", colorScheme: "light", width: 1280 },
    { name: "dark and wide", colorScheme: "dark", width: 1280 },
    { name: "light and narrow", colorScheme: "light", width: 390 },
    { name: "dark and narrow", colorScheme: "dark", width: 390 },
  ] as const;

  test.each(everyNth(looks, looks.length))(
    "axe finds nothing serious when it is $name, and nothing is wider than the page",
    { tags: "more" },
    async (look) => {
      const problems = await visit(
        "full",
        async (page) => {
          await openEverything(page);
          expect(await seriousIn(page)).toBe("");
          expect(await page.evaluate<number>("document.documentElement.scrollWidth")).toBeLessThanOrEqual(look.width);
        },
        { colorScheme: look.colorScheme, viewport: { width: look.width, height: 900 } },
      );
      expect(problems).toEqual([]);
    },
  );

  /** Cells of tables with overflow, and the width of the page. */
  const tableSizes = `[
    [...document.querySelectorAll(":is(.runs, .rules) :is(th, td)")].filter((cell) => cell.scrollWidth > cell.clientWidth + 1).map((cell) => cell.innerHTML.slice(0, 200)).join(" | "),
    document.documentElement.scrollWidth,
  ]`;

  test.each(["twelve", "four", "three"] as const)(
    "the tables of %s runs stay within a page of any width",
    { tags: "proof" },
    async (name) => {
      const problems = await visit(name, async (page) => {
        await openEverything(page);
        expect(await page.locator(".rules:visible").count()).toBeGreaterThan(0);
        for (const width of [1280, 900, 390]) {
          await page.setViewportSize({ width, height: 900 });
          expect(await page.evaluate<readonly unknown[]>(tableSizes)).toEqual(["", width]);
        }
      });
      expect(problems).toEqual([]);
    },
  );

  test.each([
    ["five", "dark"],
    ["five", "light"],
    ["four", "dark"],
    ["four", "light"],
  ] as const)("axe finds nothing serious in %s runs when it is %s", { tags: "proof" }, async (name, colorScheme) => {
    const act = async (page: Page) => {
      await openEverything(page);
      expect(await seriousIn(page)).toBe("");
    };
    const problems = await visit(name, act, { colorScheme });
    expect(problems).toEqual([]);
  });

  test("several runs and loads open without browser messages, also on a narrow page", { tags: "proof" }, async () => {
    const problems = await visit(
      "several",
      async (page) => {
        expect(await page.locator("h2").count()).toBeGreaterThanOrEqual(5);
        await openEverything(page);
        expect(await page.evaluate<number>("document.documentElement.scrollWidth")).toBeLessThanOrEqual(360);
        await page.evaluate<void>(axe);
        expect(
          await page.evaluate<number>(
            `axe.run(document, { runOnly: ["landmark-unique"] }).then(({ violations }) => violations.length)`,
          ),
        ).toBe(0);
      },
      { viewport: { width: 360, height: 800 } },
    );
    expect(problems).toEqual([]);
  });

  test("text of a target stays text: no dialog, no request, no element", async () => {
    const problems = await visit("hostile", async (page) => {
      await openEverything(page);
      expect(await page.locator("script").count()).toBe(1);
      expect(await page.locator("style").count()).toBe(1);
      expect(await page.locator("img, iframe, object, embed, form, base").count()).toBe(0);
      expect(await page.locator("link").count()).toBe(1);
      expect(await page.locator("a:not([href^='#'])").count()).toBe(0);
      expect(await page.locator("mark").first().textContent()).toContain(
        '</script><script>alert(1)</script>"><img src=x onerror=alert(2)><a href="javascript:alert(3)">\\u{202e}\\x00\\x1b[31m',
      );
      expect(await page.title()).toContain("</script><script>alert(1)</script>");
    });
    expect(problems).toEqual([]);
  });

  test("the page is readable without the script, and hides what needs it", { tags: "proof" }, async () => {
    const problems = await visit(
      "full",
      async (page) => {
        expect(await page.locator("#filter").isHidden()).toBe(true);
        expect(await page.locator(".act:visible, .zoom").count()).toBe(0);
        expect(await page.locator("article.card").count()).toBe(4);
        expect(await page.locator("article.card mark").first().isVisible()).toBe(true);
        expect(await page.locator("table.rules tr[data-s]:visible").count()).toBe(0);
        await page.locator("details.fold > summary").click();
        expect(await page.locator("table.rules tr[data-s]:visible").count()).toBe(12);
        await page.locator("details.exchange summary").first().click();
        expect(await page.locator("details.exchange pre").first().isVisible()).toBe(true);
      },
      { javaScriptEnabled: false },
    );
    expect(problems).toEqual([]);
  });

  test(
    "the filter finds rules by standing, by basis and by text, and is emptied by Escape",
    { tags: "proof" },
    async () => {
      const problems = await visit("full", async (page) => {
        const rows = page.locator("table.rules tr[data-s]:visible");
        const filter = page.getByLabel("Filter rules");
        await filter.fill("s:failed");
        expect(await rows.count()).toBe(1);
        expect(await page.locator("#found").textContent()).toBe("1 with findings, 1 of 12 rows of rules");
        expect(await page.locator(".part:visible").evaluateAll((parts) => parts.map(({ id }) => id))).toEqual([
          "r1-failures",
          "r1-rules",
        ]);
        await filter.fill("keep-alive");
        expect(await page.locator("article.card:visible").count()).toBeGreaterThan(0);
        expect(await page.locator(".part:visible").count()).toBe(1);
        await filter.fill("s:failed");
        expect(await page.locator("article.card:visible").count()).toBe(1);
        await filter.fill("s:not b:stated");
        expect(await rows.count()).toBe(1);
        await filter.fill("utf-8");
        expect(await rows.count()).toBe(1);
        await filter.press("Escape");
        expect(await filter.inputValue()).toBe("");
        expect(await rows.count()).toBe(0);
        await page.locator("a.counter.s-warned").click();
        expect(await filter.inputValue()).toBe("s:warned");
        expect(await rows.count()).toBe(1);
      });
      expect(problems).toEqual([]);
    },
  );

  test("a square links to the details of its rule, also in folded parts", { tags: "proof" }, async () => {
    const problems = await visit("full", async (page) => {
      await page.getByText("All rules at a glance").click();
      await page.locator("a.sq.s-failed").first().click();
      expect(await page.locator("article.card.here h4").textContent()).toBe("stream/two-fields");
      await page.evaluate<void>("location.hash = 'r1-x0'");
      await page.locator("#r1-x0").waitFor({ state: "visible" });
    });
    expect(problems).toEqual([]);
  });

  /** The id of the marked element, the fragment of the address, and whether the element is visible. */
  const markedState = `(() => {
    const marked = document.querySelector(".here");
    const { top, bottom } = marked?.getBoundingClientRect() ?? { top: 0, bottom: 0 };
    return [marked?.id ?? "", location.hash, bottom > 0 && top < innerHeight && document.querySelectorAll(".here").length < 2];
  })()`;
  const marks = (page: Page) => page.evaluate<readonly unknown[]>(markedState);

  const goTo = (page: Page, hash: string): Promise<void> =>
    page.evaluate<void>(`new Promise((done) => {
      addEventListener("hashchange", () => requestAnimationFrame(done), { once: true });
      location.hash = ${JSON.stringify(hash)};
    })`);

  test("a link with the id of a rule opens and marks it, also in folded parts", { tags: "proof" }, async () => {
    const problems = await visit("full", async (page) => {
      // Opened by a link from elsewhere; links within an open page are tested below.
      await page.goto("about:blank");
      await page.goto(`${addressOf("full")}#stream/text-is-utf-8`);
      expect(await marks(page)).toEqual(["stream/text-is-utf-8", "#stream/text-is-utf-8", true]);
      expect(await page.locator("td.here").isVisible()).toBe(true);
      await goTo(page, "two-fields");
      expect(await marks(page)).toEqual(["stream/two-fields", "#two-fields", true]);
      await goTo(page, "stream/lines-end-with-lf&q=s:warned");
      expect(await marks(page)).toEqual(["stream/lines-end-with-lf", "#stream/lines-end-with-lf&q=s:warned", true]);
      expect(await page.getByLabel("Filter rules").inputValue()).toBe("s:warned");
      expect(await page.locator("article.card:visible").count()).toBe(1);
    });
    expect(problems).toEqual([]);
  });

  test(
    "a link to a rule of several runs marks the row of differences, and one with a run opens that run",
    { tags: "proof" },
    async () => {
      const problems = await visit("four", async (page) => {
        await goTo(page, "stream/two-fields");
        expect(await page.locator("tr.here th > code").textContent()).toBe("stream/two-fields");
        expect(await page.locator("details.run[open]").count()).toBe(0);
        await page.locator("tr.here td a").first().click();
        await page.locator("details.run[open] article.card.here").waitFor({ state: "visible" });
        expect(await marks(page)).toEqual(["r1/stream/two-fields", "#r1/stream/two-fields", true]);
      });
      expect(problems).toEqual([]);
    },
  );

  test.each([
    "<img src=x onerror=alert(1)>",
    "%",
    "%E0%A4%A",
    "q=%E0&q=<b>",
    "__proto__",
    "*",
    '"]',
    "javascript:alert(1)",
  ])("an address that ends with #%s leads nowhere and does nothing", { tags: "proof" }, async (hash) => {
    const problems = await visit("full", async (page) => {
      const before = await page.locator("main").innerHTML();
      await goTo(page, hash);
      expect((await marks(page))[0]).toBe("");
      await page.keyboard.press("Escape");
      expect(await page.locator("main").innerHTML()).toBe(before);
    });
    expect(problems).toEqual([]);
  });

  test("the filter is in the address, and an address restores it", { tags: "proof" }, async () => {
    const problems = await visit("full", async (page) => {
      const filter = page.getByLabel("Filter rules");
      await filter.fill("s:failed i:stream");
      const hash = "#q=s%3Afailed%20i%3Astream";
      expect(await page.evaluate<string>("location.hash")).toBe(hash);
      await page.reload();
      expect(await filter.inputValue()).toBe("s:failed i:stream");
      expect(await page.locator("table.rules tr[data-s]:visible").count()).toBe(1);
      await page.evaluate<void>("document.querySelector('a.sq.s-failed').click()");
      await page.waitForFunction("location.hash.startsWith('#stream')");
      expect(await page.evaluate<string>("location.hash")).toBe(`#stream/two-fields&${hash.slice(1)}`);
      await page.keyboard.press("Escape");
      expect(await page.evaluate<string>("location.hash")).toBe("#stream/two-fields");
      await page.keyboard.press("Escape");
      expect(await page.evaluate<string>("location.hash")).toBe("");
    });
    expect(problems).toEqual([]);
  });

  test(
    "/ goes to the filter, j and k step through findings, and keys typed into the filter are text",
    { tags: "proof" },
    async () => {
      const problems = await visit("full", async (page) => {
        const press = async (key: string) => {
          await page.keyboard.press(key);
          return (await marks(page))[0];
        };
        const filter = page.getByLabel("Filter rules");
        expect([await press("j"), await press("j")]).toEqual(["stream/two-fields-0", "stream/data-is-json"]);
        expect(await press("k")).toBe("stream/two-fields-0");
        expect(await page.evaluate<string>("document.activeElement.id")).toBe("stream/two-fields-0");
        await page.keyboard.press("Control+j");
        expect((await marks(page))[0]).toBe("stream/two-fields-0");
        await page.keyboard.press("/");
        expect(await filter.evaluate((input) => input === input.ownerDocument.activeElement)).toBe(true);
        await page.keyboard.type("s:warned");
        expect(await filter.inputValue()).toBe("s:warned");
        expect(await press("Enter")).toBe("stream/lines-end-with-lf-0");
        expect(await press("j")).toBe("stream/lines-end-with-lf-0");
        expect(await page.locator("#found").textContent()).toBe("this is the last finding");
        await page.keyboard.press("Escape");
        expect(await filter.inputValue()).toBe("");
      });
      expect(problems).toEqual([]);
    },
  );

  test("the keys are listed next to the filter, and ? explains them", { tags: "proof" }, async () => {
    const problems = await visit("full", async (page) => {
      expect(await page.locator(".keys summary").isVisible()).toBe(true);
      expect(await page.locator(".keys dl").isVisible()).toBe(false);
      await page.keyboard.press("?");
      expect(await page.locator(".keys dl").isVisible()).toBe(true);
    });
    expect(problems).toEqual([]);
  });

  test("a finding is copied as a command, as an entry of a list, and as an issue", { tags: "proof" }, async () => {
    const copies = `(async () => {
      const texts = [];
      Object.defineProperty(navigator, "clipboard", { value: { writeText: async (text) => { texts.push(text); } } });
      for (const button of document.querySelectorAll("[id='stream/two-fields-0'] button")) button.click();
      await new Promise((done) => setTimeout(done, 50));
      return texts;
    })()`;
    const problems = await visit("full", async (page) => {
      const [curl, accept, entry, issue] = await page.evaluate<readonly string[]>(copies);
      expect(curl).toMatch(/^curl -sN /u);
      expect(accept).toMatch(/^npx assay accept /u);
      expect(entry).toContain("\nstream/two-fields:comment   http://127.0.0.1:*\n");
      expect(issue).toContain("```text\n");
      expect(await page.locator("button.act").first().textContent()).toBe("Copied");
    });
    expect(problems).toEqual([]);
  });

  test.each([
    ["good", 1280, 2500],
    ["good", 400, 3200],
    ["unreachable", 1280, 900],
    ["unreachable", 400, 1000],
    ["load", 1280, 3400],
    ["load", 400, 3600],
    ["compared", 1280, 4200],
    ["compared", 400, 4800],
    ["merged", 1280, 2300],
    ["merged", 400, 3100],
  ] as const)("the %s page is at %d pixels at most %d high", async (name, width, most) => {
    const problems = await visit(
      name,
      async (page) => {
        expect(await page.evaluate<number>("document.documentElement.scrollHeight")).toBeLessThanOrEqual(most);
        expect(await page.evaluate<number>("document.documentElement.scrollWidth")).toBe(width);
      },
      { viewport: { width, height: 800 } },
    );
    expect(problems).toEqual([]);
  });

  test("an early failure has its advice on the first screen, also on a phone", { tags: "proof" }, async () => {
    const problems = await visit(
      "unreachable",
      async (page) => {
        const { y, height } = (await page.locator(".try").boundingBox()) ?? { y: 900, height: 900 };
        expect(y + height).toBeLessThanOrEqual(900);
        expect(await page.locator(".try code").allTextContents()).toEqual([
          "curl -v 'http://127.0.0.1:1'",
          "npx assay doctor --url 'http://127.0.0.1:1'",
        ]);
        expect(await page.locator(".counter, .sq").count()).toBe(0);
      },
      { viewport: { width: 400, height: 900 } },
    );
    expect(problems).toEqual([]);
  });

  test.each([
    [1280, 900],
    [400, 900],
  ])("verdict and first action are on the first screen of %d x %d pixels", { tags: "proof" }, async (width, height) => {
    const problems = await visit(
      "failed",
      async (page) => {
        expect(await page.evaluate<number>("document.documentElement.scrollWidth")).toBe(width);
        for (const part of [".strip h2", ".card mark", ".card .act"]) {
          const { y = height, height: tall = 0 } = (await page.locator(part).first().boundingBox()) ?? {};
          expect(y + tall).toBeLessThanOrEqual(height);
        }
      },
      { viewport: { width, height } },
    );
    expect(problems).toEqual([]);
  });

  test.each([
    ["load", ".counter", 1280],
    ["load", ".counter", 400],
    ["compared", ".headline", 1280],
    ["compared", ".headline", 400],
    ["merged", ".summary", 1280],
    ["merged", ".summary", 400],
  ] as const)(
    "the page of a %s has its verdict and its figures (%s) on the first screen at %d pixels",
    async (...[name, part, width]) => {
      const problems = await visit(
        name,
        async (page) => {
          expect(await page.evaluate<number>("document.documentElement.scrollWidth")).toBe(width);
          const strip = page.locator(".strip").first();
          for (const found of [strip.locator("h2"), ...(await strip.locator(part).all())]) {
            const { y = 900, height = 0 } = (await found.boundingBox()) ?? {};
            expect(y + height).toBeLessThanOrEqual(900);
          }
          expect(await strip.locator(part).count()).toBe(name === "load" ? 5 : 1);
          expect(await seriousIn(page)).toBe("");
        },
        { viewport: { width, height: 900 } },
      );
      expect(problems).toEqual([]);
    },
  );

  test("a comparison fits a phone and shows every verdict", { tags: "proof" }, async () => {
    const problems = await visit(
      "full",
      async (page) => {
        const figure = page.locator("#c1-figure .fig-narrow");
        const { x = -1, width = 9999 } = (await figure.boundingBox()) ?? {};
        expect(x).toBeGreaterThanOrEqual(0);
        expect(x + width).toBeLessThanOrEqual(400);
        expect(await figure.textContent()).toContain("✗ regressed");
        expect(await page.locator(".fig:has(.fig-narrow) .fig-wide:visible").count()).toBe(0);
      },
      { viewport: { width: 400, height: 900 } },
    );
    expect(problems).toEqual([]);
  });

  test.each(["full", "merged"] as const)(
    "every figure of the %s page fits a phone",
    { tags: "proof" },
    async (name) => {
      /** Visible figures that overflow or scroll, and whether enough are visible. */
      const drawn = `(() => {
      const seen = [...document.querySelectorAll(".fig svg")].filter((svg) => svg.getClientRects().length > 0);
      const wide = [...document.querySelectorAll(".fig > .scroll")].filter((one) => one.getClientRects().length > 0);
      const out = seen.filter((svg) => svg.getBoundingClientRect().right > 400 || svg.getBoundingClientRect().left < 0);
      const clipped = seen.flatMap((svg) => [...svg.querySelectorAll("text")].filter((text) => {
        const [inner, outer] = [text.getBoundingClientRect(), svg.getBoundingClientRect()];
        return inner.left < outer.left - 1 || inner.right > outer.right + 1;
      }).map((text) => text.textContent));
      return [seen.length > 2, wide.length, out.length, clipped];
    })()`;
      const problems = await visit(
        name,
        async (page) => {
          await openEverything(page);
          expect(await page.evaluate<readonly unknown[]>(drawn)).toEqual([true, 0, 0, []]);
        },
        { viewport: { width: 400, height: 900 } },
      );
      expect(problems).toEqual([]);
    },
  );

  test("in print the failures are complete and the contents are left out", { tags: "proof" }, async () => {
    const problems = await visit("full", async (page) => {
      await page.emulateMedia({ media: "print" });
      await page.evaluate<void>("dispatchEvent(new Event('beforeprint'))");
      expect(await page.locator("nav").isHidden()).toBe(true);
      expect(await page.locator("details.exchange pre").first().isVisible()).toBe(true);
      expect((await page.pdf()).subarray(0, 5).toString()).toBe("%PDF-");
    });
    expect(problems).toEqual([]);
  });

  test("a figure is zoomed by its buttons and reset", { tags: "proof" }, async () => {
    const problems = await visit("full", async (page) => {
      const zoomedPart = page.locator("[data-zoom-target]").first();
      await page.locator(".zoom").first().getByRole("button", { name: "Zoom in" }).click();
      expect(await zoomedPart.getAttribute("transform")).toContain("scale(2 1)");
      await page.locator(".zoom").first().getByRole("button", { name: "Show all" }).click();
      expect(await zoomedPart.getAttribute("transform")).toBeNull();
    });
    expect(problems).toEqual([]);
  });

  /** The visible part of each zoomable figure at maximum zoom, in its own coordinates. */
  const zoomedIn = `
    [...document.querySelectorAll('svg[data-zoom="x"]')].map((svg) => {
      const bar = svg.previousElementSibling;
      for (let times = 0; times < 12; times += 1) bar.querySelector('[aria-label="Zoom in"]').click();
      const target = svg.querySelector("[data-zoom-target]");
      const [left, right] = target.dataset.zoomTarget.split(" ").map(Number);
      const clip = svg.querySelector(target.parentElement.getAttribute("clip-path").slice(4, -1) + " rect").getBBox();
      const shown = (element) => element.closest("[visibility=hidden], [data-zoom-target]") === null;
      const ticks = [...svg.querySelectorAll("[data-zoom-tick]")].filter(shown);
      const matrix = svg.getScreenCTM().inverse();
      const edge = (mark, side) => new DOMPoint(mark.getBoundingClientRect()[side], 0).matrixTransform(matrix).x;
      const labels = [...svg.querySelectorAll("text")].filter((text) => shown(text) && edge(text, "right") < left);
      return {
        ticks: ticks.map((tick) => tick.textContent),
        ticksOutside: ticks.filter((tick) => edge(tick.querySelector("line"), "left") < left - 1 || edge(tick.querySelector("line"), "right") > right + 1).length,
        labels: labels.length,
        labelsUnderMarks: labels.filter((text) => edge(text, "right") > clip.x).length,
        astray: [...target.querySelectorAll("line + text[data-zoom-at]")].filter((text) => {
          const away = edge(text, "left") - edge(text.previousElementSibling, "left");
          return away < 2 || away > 6;
        }).length,
        reach: [Math.round(clip.x - left), Math.round(clip.x + clip.width - right)],
      };
    })`;

  test("a figure at maximum zoom has visible ticks, and no mark outside of the plot", { tags: "proof" }, async () => {
    const problems = await visit("full", async (page) => {
      await openEverything(page);
      const drawings = await page.evaluate<
        readonly {
          readonly ticks: readonly string[];
          readonly ticksOutside: number;
          readonly labels: number;
          readonly labelsUnderMarks: number;
          readonly astray: number;
          readonly reach: readonly number[];
        }[]
      >(zoomedIn);
      expect(drawings).toHaveLength(4);
      for (const { ticks, ticksOutside, labels, labelsUnderMarks, astray, reach } of drawings) {
        expect(ticks.length).toBeGreaterThan(2);
        expect(ticks.length).toBeLessThan(12);
        expect(new Set(ticks).size).toBe(ticks.length);
        expect(labels).toBeGreaterThan(0);
        expect([ticksOutside, labelsUnderMarks, astray, ...reach]).toEqual([0, 0, 0, -1, 1]);
      }
    });
    expect(problems).toEqual([]);
  });
});

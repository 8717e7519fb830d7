import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { quietChromium } from "./quiet-chromium.js";

/**
 * `npm run pictures`: creates the pictures of the guides, each light and dark. Runs the built command against the embedded server,
 * and takes screenshots of its output in Chromium (ASSAY_CHROMIUM, or /usr/bin/chromium). Load pages use stored results, so no k6 is
 * needed. Only times and ids of runs differ from one run to the next.
 */
export const pictureFolder = "packages/cli/docs";

/** Every picture: the page and the part of it to show. */
export const pictures = [
  { name: "report", page: "red/report.html", height: 860 },
  { name: "report-runs", page: "runs.html", height: 860 },
  { name: "report-load", page: "load.html", height: 860 },
  { name: "report-comparison", page: "comparison.html", height: 640, part: "load" },
  { name: "summary", page: "summary.html", height: 820 },
];

/** Files of a picture by the theme that it shows. */
export const getThemeFiles = ({ name }) => ({ light: `${name}.png`, dark: `${name}-dark.png` });

const root = fileURLToPath(new URL("..", import.meta.url));

const runs = [
  { name: "before", faults: [] },
  { name: "red", faults: ["comment"] },
  { name: "after", faults: ["no-done", "crlf"] },
  { name: "later", faults: ["legacy-cancellation-refused", "current-state-unlisted"] },
];

function runAssay(args, cwd) {
  const { status, stderr } = spawnSync(process.execPath, [join(root, "packages/cli/bin/assay.js"), ...args], {
    cwd,
    encoding: "utf8",
    timeout: 300_000,
    env: { PATH: process.env.PATH, HOME: cwd },
  });
  if (status !== 0 && status !== 1) {
    throw new Error(`assay ${args.join(" ")} ended with ${status}: ${stderr.slice(0, 1000)}`);
  }
}

const escapes = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
const renderInline = (text) =>
  text
    .split(/(`+[^`]+`+)/u)
    .map((part, index) => {
      const escaped = part.replaceAll(/[&<>"]/gu, (character) => escapes[character]);
      return index % 2 === 1 ? `<code>${escaped.replaceAll("`", "")}</code>` : escaped.replaceAll("&amp;#", "&#");
    })
    .join("");

/** Renders one block of a summary. Supports only the Markdown that summaries use. */
function renderBlock(lines) {
  const [firstLine] = lines;
  const heading = /^(?<marks>#{2,4}) (?<text>.*)$/u.exec(firstLine)?.groups;
  if (heading !== undefined) {
    return `<h${heading.marks.length}>${renderInline(heading.text)}</h${heading.marks.length}>`;
  }
  if (firstLine.startsWith("|")) {
    const row = (line, tag) =>
      `<tr>${line
        .split(" | ")
        .map((cell) => `<${tag}>${renderInline(cell.replaceAll("|", "").trim())}</${tag}>`)
        .join("")}</tr>`;
    return `<table>${row(firstLine, "th")}${lines
      .slice(2)
      .map((line) => row(line, "td"))
      .join("")}</table>`;
  }
  if (firstLine.startsWith("- ")) {
    return `<ul>${lines.map((line) => `<li>${renderInline(line.slice(2))}</li>`).join("")}</ul>`;
  }
  return /^<\/?(?:details|summary)/u.test(firstLine) ? lines.join("") : `<p>${renderInline(lines.join(" "))}</p>`;
}

const summaryStyle = `
  :root { color-scheme: light dark; --ink: #1f2328; --bg: #fff; --line: #d1d9e0; --code: #818b981f; }
  @media (prefers-color-scheme: dark) { :root { --ink: #f0f6fc; --bg: #0d1117; --line: #3d444d; --code: #656c7633; } }
  body { font: 16px/1.5 -apple-system, "Segoe UI", "Noto Sans", Helvetica, Arial, sans-serif; color: var(--ink); background: var(--bg); max-width: 960px; margin: 24px auto; }
  h2, h3 { border-bottom: 1px solid var(--line); padding-bottom: .3em; margin: 16px 0; }
  table { border-collapse: collapse; margin-bottom: 16px; } th, td { border: 1px solid var(--line); padding: 4px 13px; text-align: left; }
  code { background: var(--code); border-radius: 6px; padding: .2em .4em; font: 85% ui-monospace, "DejaVu Sans Mono", monospace; }
  summary { margin: 6px 0; }
`;

const renderSummaryPage = (markdown) => {
  const blocks = markdown
    .trim()
    .split(/\n{2,}/u)
    .map((block) => renderBlock(block.split("\n")));
  return `<!doctype html><meta charset="utf-8"><style>${summaryStyle}</style>${blocks.join("\n")}`;
};

const storedLoadPath = (name) => join(root, `packages/cli/fixtures/pictures/load-${name}.json`);

/** Creates all pages of the pictures in a folder. */
function createPages(folder) {
  for (const { name, faults } of runs) {
    const flags = faults.flatMap((fault) => ["--fault", fault]);
    runAssay(["run", "--embedded", "--no-config", "--seed", "1", "--quiet", "--out", name, ...flags], folder);
  }
  runAssay(["report", ...runs.map(({ name }) => name), "--baseline", "before", "--out", "runs.html"], folder);
  runAssay(["report", storedLoadPath("before"), "--out", "load.html"], folder);
  runAssay(["report", storedLoadPath("before"), storedLoadPath("after"), "--out", "comparison.html"], folder);
  writeFileSync(
    join(folder, "summary.html"),
    renderSummaryPage(readFileSync(join(folder, "before/summary.md"), "utf8")),
  );
  for (const page of new Set(pictures.map((picture) => picture.page))) {
    const text = readFileSync(join(folder, page), "utf8");
    // The embedded server takes any free port.
    writeFileSync(join(folder, page), text.replaceAll(/127\.0\.0\.1:\d+/gu, "127.0.0.1:7080"));
  }
}

async function takePictures(folder, { selection = pictures, out = join(root, pictureFolder) }) {
  const { chromium } = createRequire(join(root, "packages/report/package.json"))("playwright-core");
  const browser = await chromium.launch({
    executablePath: process.env.ASSAY_CHROMIUM ?? "/usr/bin/chromium",
    args: quietChromium,
  });
  for (const picture of selection) {
    for (const [colorScheme, file] of Object.entries(getThemeFiles(picture))) {
      const viewport = { width: 1200, height: picture.height };
      const page = await browser.newPage({ viewport, colorScheme, reducedMotion: "reduce" });
      const hash = picture.part === undefined ? "" : `#${picture.part}`;
      await page.goto(`${pathToFileURL(join(folder, picture.page)).href}${hash}`);
      await page.screenshot({ path: join(out, file) });
      process.stdout.write(`${join(out, file)}\n`);
      await page.close();
    }
  }
  await browser.close();
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const folder = mkdtempSync(join(tmpdir(), "assay-pictures-"));
  mkdirSync(join(root, pictureFolder), { recursive: true });
  try {
    if (process.argv.includes("--smoke")) {
      // Takes one picture of a stored load in a temporary folder, to check that pictures can still be taken.
      runAssay(["report", storedLoadPath("before"), "--out", "load.html"], folder);
      await takePictures(folder, { selection: pictures.filter(({ name }) => name === "report-load"), out: folder });
    } else {
      createPages(folder);
      await takePictures(folder, {});
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
}

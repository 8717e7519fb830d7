import { renderAgent, renderTerminal } from "@assay/report";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { expect, inject, test } from "vitest";
import { openResultsInThisThread } from "../run/run-results.ts";
import { temporaryFolder } from "../testing/temporary-folder.ts";
import { goldenWords } from "../testing/golden-words.ts";

/** The runs that `npm run record-run` records. */
const recordedRuns = ["recorded-run", "recorded-open-run", "recorded-alert-run"];

type Files = Readonly<Record<string, string>>;

const readFiles = (url: URL): Files => JSON.parse(gunzipSync(readFileSync(url)).toString());

const goldenOf = (name: string): URL => new URL(`../../fixtures/goldens/${name}.json.gz`, import.meta.url);

/** Every form in which the result of a recorded run is shown, by its name. */
async function renderedForms(name: string): Promise<Files> {
  const folder = temporaryFolder();
  mkdirSync(join(folder, "bodies"));
  const recording = readFiles(new URL(`../../../runner/fixtures/${name}.json.gz`, import.meta.url));
  for (const [path, base64] of Object.entries(recording)) {
    writeFileSync(join(folder, path), Buffer.from(base64, "base64"));
  }
  const results = openResultsInThisThread({ folder });
  const { result, notes } = await results.judge();
  await results.write();
  const terminal = { colour: false, width: 100, folder: "RUN", evidence: "RUN", report: "RUN/report.html" };
  const files = ["verdicts.json", "timelines.json", "junit.xml", "ctrf.json", "summary.md", "report.html"];
  return {
    ...Object.fromEntries(files.map((file) => [file, readFileSync(join(folder, file), "utf8")])),
    notes: notes.join("\n"),
    terminal: renderTerminal(result, { ...terminal, verbose: false }),
    "terminal, list": renderTerminal(result, { ...terminal, verbose: true }),
    "terminal, quiet": renderAgent(result, { folder: "RUN" }),
  };
}

/** A tag or a member of JSON a line, so that a difference is short; without digests of styles, which contain words too. */
const linesOf = (text: string): readonly string[] =>
  text
    .replaceAll(/sha256-[\w+/=]{44}/gu, "sha256")
    .replaceAll("><", ">\n<")
    .replaceAll(',"', ',\n"')
    .split("\n");

/** The first lines that differ; undefined if none does. */
function firstDifference(before: string, now: string): { readonly was: string; readonly is: string } | undefined {
  const [was, is] = [linesOf(before), linesOf(now)];
  const line = was.findIndex((text, index) => text !== is[index]);
  const from = line === -1 ? was.length : line;
  return line === -1 && was.length === is.length
    ? undefined
    : { was: was.slice(from, from + 3).join("\n"), is: is.slice(from, from + 3).join("\n") };
}

/** A text, or a part of one that begins or ends at a backtick, as the page shows it. */
const asHtml = (text: string): string =>
  text
    .replaceAll(/`([^`]*)`/gu, "<code>$1</code>")
    .replace(/^`/u, "</code>")
    .replace(/`$/u, "<code>");

const inNewWords = (form: string, text: string): string =>
  goldenWords.reduce(
    (changed, [before, now]) =>
      form.endsWith(".html")
        ? changed.replaceAll(asHtml(before), asHtml(now)).replaceAll(before, now)
        : changed.replaceAll(before, now),
    text,
  );

test.each(recordedRuns)("%s is judged and shown as before, but for words", { concurrent: false }, async (name) => {
  const now = await renderedForms(name);
  if (inject("isUpdating")) {
    writeFileSync(goldenOf(name), gzipSync(JSON.stringify(now), { level: 9 }));
  }
  const before = readFiles(goldenOf(name));
  expect(Object.keys(now)).toEqual(Object.keys(before));
  expect(
    Object.entries(now).flatMap(([form, text]) => {
      const difference = firstDifference(inNewWords(form, before[form] ?? ""), text);
      return difference === undefined ? [] : [{ form, ...difference }];
    }),
  ).toEqual([]);
});

import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { findBrokenLinks } from "./broken-links.js";
import { root } from "./test-files.js";

let folder;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "assay-site-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const write = (path, text) => {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
};

test.each([
  ["a page", '<a href="other/">'],
  ["an anchor of a page", '<a href="other/#there">'],
  ["an anchor of the same page", '<h2 id="here"></h2><a href="#here">'],
  ["a file", '<img src="other/index.html">'],
])("a link to %s is whole", (_what, html) => {
  write("index.html", html);
  write("other/index.html", '<h2 id="there"></h2>');
  expect(findBrokenLinks(folder)).toEqual([]);
});

test.each([
  ["a page that is not there", '<a href="nowhere/">', "nowhere/"],
  ["an anchor that is not there", '<a href="other/#nowhere">', "other/#nowhere"],
  ["an anchor that the page itself does not have", '<a href="#nowhere">', "#nowhere"],
  ["a file outside of the site", '<img src="../secret.png">', "../secret.png"],
  ["another host", '<script src="https://example.com/x.js">', "https://example.com/x.js"],
])("a link to %s is found", (_what, html, address) => {
  write("index.html", html);
  write("other/index.html", '<h2 id="there"></h2>');
  expect(findBrokenLinks(folder)).toEqual([`index.html: ${address} leads nowhere`]);
});

// Installs packages: `npm run prove -- broken-links`.
test(
  "`npm run docs` builds a page for each guide and rule, and each link leads somewhere",
  { tags: "proof", timeout: 300_000 },
  () => {
    const { status, stdout, stderr } = spawnSync("npm", ["run", "-s", "docs"], { cwd: root, encoding: "utf8" });
    // On a slow machine, Eleventy names its slow parts, even in its quiet mode.
    const problems = stderr.replaceAll(/^\[11ty\] Benchmark .*\n/gmu, "");
    expect({ status, problems }).toEqual({ status: 0, problems: "" });
    expect(stdout).toMatch(/\d+ pages, \d+ of them of rules, in site\/dist/u);
  },
);

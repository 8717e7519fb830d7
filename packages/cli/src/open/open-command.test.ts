import { chmodSync, mkdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, test } from "vitest";
import { runCommandLine } from "../run-command-line.ts";
import { temporaryFolder } from "../testing/temporary-folder.ts";
import { testContext } from "../testing/test-context.ts";
import { listOpeners } from "./browser.ts";

const cwd = temporaryFolder();
const pages = {
  old: "reports/runs/20260101T000000Z-aaaaaa/report.html",
  newest: "reports/runs/20260102T000000Z-bbbbbb/report.html",
  merged: "reports/report.html",
} as const;
const urlOf = (page: string): string => pathToFileURL(join(cwd, page)).href;

const writePage = (page: string, day: string): void => {
  mkdirSync(join(cwd, page, ".."), { recursive: true });
  writeFileSync(join(cwd, page), "");
  utimesSync(join(cwd, page), new Date(day), new Date(day));
};
writePage(pages.old, "2026-01-01");
writePage(pages.newest, "2026-01-02");
mkdirSync(join(cwd, "reports/runs/20260103T000000Z-cccccc"));
const opened = join(cwd, "opened");
writeFileSync(join(cwd, "browser"), `#!/bin/sh\nprintf '%s\\n' "$@" >> opened\n`);
chmodSync(join(cwd, "browser"), 0o755);

const call = async (args: readonly string[], env: NodeJS.ProcessEnv = { BROWSER: "./browser" }, isCi = false) => {
  const terminal = { colour: false, width: 100, errorColumns: 80, isTty: false, isCi };
  const context = testContext({ cwd, env: { PATH: process.env["PATH"], ...env }, terminal });
  writeFileSync(opened, "");
  const code = await runCommandLine(context, ["open", ...args]);
  return { code, ...context.written, opened: readFileSync(opened, "utf8") };
};

test.each([
  { name: "the newest page without a run", args: [], page: pages.newest },
  { name: "the page of a run by its id", args: ["20260101T000000Z-aaaaaa"], page: pages.old },
  { name: "a page by its path", args: [pages.old], page: pages.old },
])("opens $name", async ({ args, page }) => {
  expect(await call(args)).toMatchObject({ code: 0, out: `${urlOf(page)}\n`, opened: `${urlOf(page)}\n` });
});

test.each([
  { name: "with arguments", BROWSER: "./browser --new", gets: `--new\n${urlOf(pages.newest)}\n` },
  { name: "with a place for the address", BROWSER: "./browser %s --new", gets: `${urlOf(pages.newest)}\n--new\n` },
  { name: "after a missing program", BROWSER: "no-such-browser:./browser", gets: `${urlOf(pages.newest)}\n` },
])("calls the browser of the variable $name", async ({ BROWSER, gets }) => {
  expect(await call([], { BROWSER })).toMatchObject({ code: 0, opened: gets });
});

test.each([
  {
    name: "without a browser",
    env: { BROWSER: "no-such-browser" },
    isCi: false,
    says: "note: no browser was found; open the link yourself\n",
  },
  {
    name: "in continuous integration",
    env: { BROWSER: "./browser" },
    isCi: true,
    says: "note: no browser is opened in continuous integration\n",
  },
])("prints the link $name", async ({ env, isCi, says }) => {
  const { code, out, err, opened: got } = await call([pages.newest], env, isCi);
  expect([code, out, err, got]).toEqual([0, `${urlOf(pages.newest)}\n`, says, ""]);
});

test.each([
  {
    name: "a run without a page",
    args: ["20260103T000000Z-cccccc"],
    says: "has no page; create one with `assay report reports/runs/20260103T000000Z-cccccc`",
  },
  { name: "a file that is not a page", args: ["browser"], says: "browser has no page" },
  { name: "a mistyped run", args: ["20260101T000000Z-aaaaab"], says: "did you mean `20260101T000000Z-aaaaaa`?" },
])("refuses $name", async ({ args, says }) => {
  const { code, out, err } = await call(args);
  expect([code, out, err.includes(says)]).toEqual([2, "", true]);
});

test("opens the page of several runs if it is newer than that of the newest run", async () => {
  writePage(pages.merged, "2026-01-03");
  expect((await call([])).opened).toBe(`${urlOf(pages.merged)}\n`);
});

describe("without the variable", () => {
  const url = "file:///a";
  test.each([
    { platform: "darwin", env: {}, programs: ["open"] },
    { platform: "win32", env: {}, programs: ["rundll32"] },
    { platform: "linux", env: { DISPLAY: ":0" }, programs: ["xdg-open"] },
    { platform: "linux", env: { WSL_DISTRO_NAME: "Ubuntu" }, programs: ["xdg-open"] },
    { platform: "linux", env: {}, programs: [] },
  ] as const)("$platform with $env calls $programs", ({ platform, env, programs }) => {
    expect(listOpeners(url, env, platform).map(({ program }) => program)).toEqual(programs);
  });
});

import { HarnessError } from "@assay/contract";
import { existsSync, statSync } from "node:fs";
import { extname, join, relative, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { visibleText } from "@assay/evidence";
import type { AddCommand, CommandContext } from "../command-context.ts";
import { latestName, findNewestRun, resolveRunArgument } from "../latest-run.ts";
import { rejectMissingRun, findRunPath } from "../run-to-judge.ts";
import { openInBrowser } from "./browser.ts";

const examples = `
Examples:
  assay open                    the newest page of a run, a load, or several runs
  assay open 20260131T120000Z-1a2b3c
  BROWSER=firefox assay open    in this browser

In continuous integration, and if there is no browser, it only prints the link.
Exit codes: 0 opened or printed, 2 unknown page.`;

/** Adds `assay open`. */
export const openCommand: AddCommand = (program, context, finish) => {
  program
    .command("open")
    .summary("Open the page of a run in the browser.")
    .description("Open the page of a run in the browser.")
    .argument("[RUN]", "folder of the run, its id, a page, or latest (default: the newest page)")
    .addHelpText("after", examples)
    .action(async (run: string | undefined) => {
      await openPage(findPage(run, context), context);
      finish(0);
    });
};

const pageName = "report.html";
/** The page of several runs, written by `assay report`. */
const mergedPageName = join("reports", pageName);

const readModifiedMs = (path: string): number => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;

/** Returns the page of several runs, if it is newer than the page of the newest run. */
function findNewestMergedPage(cwd: string): string | undefined {
  const page = resolve(cwd, mergedPageName);
  const folder = findNewestRun(cwd, "page");
  const isNewest = folder === undefined || readModifiedMs(page) > readModifiedMs(resolve(cwd, folder, pageName));
  return existsSync(page) && isNewest ? page : undefined;
}

/** Returns the selected page. Throws a `HarnessError` if there is none. */
function findPage(run: string | undefined, context: CommandContext): string {
  const { cwd } = context;
  const mergedPagePath = run === undefined || run === latestName ? findNewestMergedPage(cwd) : undefined;
  if (mergedPagePath !== undefined) {
    return mergedPagePath;
  }
  const runArgument = resolveRunArgument(run, context, "page");
  const path = findRunPath(runArgument, cwd) ?? rejectMissingRun(runArgument, cwd);
  const page = statSync(path).isDirectory() ? join(path, pageName) : path;
  if (extname(page) !== ".html" || !existsSync(page)) {
    const shownPath = visibleText(relative(cwd, path) || ".", 200);
    throw new HarnessError("usage", `${shownPath} has no page; create one with \`assay report ${shownPath}\``);
  }
  return page;
}

async function openPage(page: string, context: CommandContext): Promise<void> {
  const url = pathToFileURL(page).href;
  const isOpened = await openInBrowser(url, context);
  if (!isOpened) {
    context.err(
      `note: no browser ${context.terminal.isCi ? "is opened in continuous integration" : "was found; open the link yourself"}\n`,
    );
  }
  context.out(`${url}\n`);
}

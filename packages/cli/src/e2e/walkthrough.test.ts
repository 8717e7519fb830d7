import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, rmSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { isProving } from "@assay/config/proving";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { hasK6 } from "../testing/has-k6.ts";
import { tourOf } from "../testing/readme-tour.ts";
import type { TourStep } from "../testing/readme-tour.ts";

const root = fileURLToPath(new URL("../../../../", import.meta.url));
const steps = tourOf(readFileSync(`${root}README.md`, "utf8"), "Five minutes");
/** What the tour writes; it is the tour's own. */
const written = `${root}reports/runs/tour`;
const page = (name: string): string => readFileSync(`${written}/${name}`, "utf8");

/** The surroundings of a newcomer: nothing that speaks to Assay, and no continuous integration. */
const env = Object.fromEntries(
  Object.entries(process.env).filter(
    ([name]) => !/^(?:ASSAY_(?!K6$)|SRC_|GITHUB_|VITEST|NODE_ENV$|NODE_OPTIONS$)/u.test(name),
  ),
);

interface Outcome {
  readonly status: number | null;
  readonly out: string;
  readonly err: string;
}

async function bash(command: string): Promise<Outcome> {
  const child = spawn("bash", ["-c", command], { cwd: root, env, stdio: ["ignore", "pipe", "pipe"] });
  const pieces = { out: "", err: "" };
  child.stdout.setEncoding("utf8").on("data", (text: string) => (pieces.out += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (pieces.err += text));
  await once(child, "close");
  return { status: child.exitCode, ...pieces };
}

/** On a machine that is busy with other tests a load says that its figures cannot be trusted, or decide nothing. */
const saysNothing = ({ status, out }: Outcome): boolean => status === 3 || out.includes("? comparison inconclusive");

/** A load that says nothing is tried again. */
async function tried(command: string, tries: number): Promise<Outcome> {
  const outcome = await bash(command);
  const [, out] = / load .*--out (\S+)/u.exec(command) ?? [];
  if (!saysNothing(outcome) || out === undefined || tries === 1) {
    return outcome;
  }
  rmSync(`${root}${out}`, { recursive: true });
  return tried(command, tries - 1);
}

const oneSpace = (text: string): string => text.replaceAll(/\s+/gu, " ");

/** Runs a command; what it printed is compared without regard to space. */
async function follow(step: TourStep): Promise<void> {
  const { command, exitCode, shown } = step;
  const { status, out, err } = await tried(command, 8);
  expect({ status, err: status === exitCode ? "" : err }).toEqual({ status: exitCode, err: "" });
  const printed = oneSpace(out);
  expect(shown.filter((line) => !printed.includes(oneSpace(line)))).toEqual([]);
}

const needsK6 = steps.findIndex(({ command }) => command.includes("k6"));

describe("the tour of the README, word for word", () => {
  beforeAll(() => rmSync(written, { recursive: true, force: true }));
  afterAll(() => rmSync(written, { recursive: true, force: true }));

  test("has something to follow, and says what comes out", () => {
    expect(steps.length).toBeGreaterThanOrEqual(9);
    expect(steps.filter(({ shown }) => shown.length > 0).length).toBeGreaterThanOrEqual(4);
    expect(needsK6).toBeGreaterThan(0);
  });

  // What its commands are called with is read in `readme.test.ts` each time, and what each of them does has tests of its own.
  describe.runIf(isProving)("without k6", () => {
    test.each(steps.slice(0, needsK6))("$command", follow);

    test("leaves a page that says it passed, one that shows the failure, and one with both", () => {
      expect(page("good/report.html")).toContain("Passed");
      expect(page("bad/report.html")).toContain(": ping");
      expect(page("both.html")).toContain("stream/two-fields");
    });
  });

  describe.runIf(isProving && hasK6())("with k6", () => {
    test.each(steps.slice(needsK6))("$command", follow);

    test("leaves a page about each comparison", () => {
      expect(page("alike/report.html")).toContain("✓ unchanged");
      expect(page("slower/report.html")).toContain("✗ regressed");
    });
  });
});

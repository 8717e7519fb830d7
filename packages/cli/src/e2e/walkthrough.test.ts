import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startServer } from "../server.ts";
import type { TestServer } from "../server.ts";
import { hasK6 } from "../testing/has-k6.ts";
import { printedSteps } from "../testing/printed-steps.ts";
import type { PrintedStep } from "../testing/printed-steps.ts";

const root = fileURLToPath(new URL("../../../../", import.meta.url));
const stepsOf = (path: string): readonly PrintedStep[] => printedSteps(readFileSync(`${root}${path}`, "utf8"));
const readme = stepsOf("README.md");
const tour = stepsOf("packages/cli/docs/tour.md");

/** What the tour and the README write. */
const written = mkdtempSync(join(tmpdir(), "assay-tour-"));
afterAll(() => rmSync(written, { recursive: true, force: true }));
const page = (name: string): string => readFileSync(`${written}/${name}`, "utf8");

/** The surroundings of a newcomer: no variable that Assay reads, and no continuous integration. */
const bare = Object.fromEntries(
  Object.entries(process.env).filter(
    ([name]) => !/^(?:ASSAY_(?!K6$)|SRC_|GITHUB_|VITEST|NODE_ENV$|NODE_OPTIONS$)/u.test(name),
  ),
);

interface Outcome {
  readonly status: number | null;
  readonly out: string;
  readonly err: string;
}

type Variables = Readonly<Record<string, string>>;

async function bash(command: string, variables: Variables): Promise<Outcome> {
  const env = { ...bare, ...variables };
  const child = spawn("bash", ["-c", command], { cwd: root, env, stdio: ["ignore", "pipe", "pipe"] });
  const pieces = { out: "", err: "" };
  child.stdout.setEncoding("utf8").on("data", (text: string) => (pieces.out += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (pieces.err += text));
  await once(child, "close");
  return { status: child.exitCode, ...pieces };
}

/** On a machine that is busy with other tests the figures of a load cannot be trusted, or decide nothing. */
const isUndecided = ({ status, out }: Outcome): boolean => status === 3 || out.includes("\n? INCONCLUSIVE ");

/** A load that decides nothing is tried again. */
async function tried(command: string, variables: Variables, tries: number): Promise<Outcome> {
  const outcome = await bash(command, variables);
  const [, name] = / load .*--out \$TOUR\/(\S+)/u.exec(command) ?? [];
  if (!isUndecided(outcome) || name === undefined || tries === 1) {
    return outcome;
  }
  rmSync(join(written, name), { recursive: true });
  return tried(command, variables, tries - 1);
}

const oneSpace = (text: string): string => text.replaceAll(/\s+/gu, " ");

/** Runs a command. Returns an unexpected exit code with its reason, and shown lines that it did not print; space makes no difference. */
async function mistakesOf({ command, exitCode, shown }: PrintedStep, variables: Variables): Promise<readonly string[]> {
  const { status, out, err } = await tried(command, variables, 8);
  const printed = oneSpace(out);
  const missing = shown.filter((line) => !printed.includes(oneSpace(line))).map((line) => `not printed: ${line}`);
  return status === exitCode ? missing : [`exit code ${status ?? "none"}`, err, ...missing];
}

const isSetting = ({ command }: PrintedStep): boolean => command.startsWith("export ");

describe("the tour, word for word", () => {
  const commands = tour.filter((step) => !isSetting(step));
  const needsK6 = commands.findIndex(({ command }) => command.includes("k6"));

  test("writes to a new folder, so that it can be repeated, and shows what is printed", () => {
    expect(tour[0]?.command).toBe("export TOUR=$(mktemp -d)");
    expect(commands.filter(({ command }) => /--out (?!\$TOUR\/)/u.test(command))).toEqual([]);
    expect(commands.length).toBeGreaterThanOrEqual(9);
    expect(commands.filter(({ shown }) => shown.length > 0).length).toBeGreaterThanOrEqual(4);
    expect(needsK6).toBeGreaterThan(0);
  });

  // `readme.test.ts` reads the flags of these commands each time, and each command has tests of its own.
  describe("without k6", { tags: "proof" }, () => {
    test.each(commands.slice(0, needsK6))("$command", async (step) => {
      expect(await mistakesOf(step, { TOUR: written })).toEqual([]);
    });

    test("leaves a page that passed, one that shows the failure, and one with both", () => {
      expect(page("good/report.html")).toContain("Passed");
      expect(page("bad/report.html")).toContain(": ping");
      expect(page("both.html")).toContain("stream/two-fields");
    });
  });

  describe.runIf(hasK6())("with k6", { tags: "proof" }, () => {
    test.each(commands.slice(needsK6))("$command", async (step) => {
      expect(await mistakesOf(step, { TOUR: written })).toEqual([]);
    });

    test("leaves a page about each comparison", () => {
      expect(page("alike/report.html")).toContain("✓ unchanged");
      expect(page("slower/report.html")).toContain("✗ regressed");
    });
  });
});

/** Lines of the README that other tests run: CI runs the first two, `release:check` packs and installs. */
const elsewhere = /^(?:npm |export |cd )/u;

describe("the commands of the README, word for word", () => {
  const commands = readme.filter(({ command }) => !elsewhere.test(command));
  const usesK6 = ({ command }: PrintedStep): boolean => command.includes("assay load");

  test("are those that follow, and output is shown of some", () => {
    expect(commands.map(({ command }) => /npx assay (?<name>\w+)/u.exec(command)?.groups?.["name"])).toEqual([
      "run",
      "run",
      "run",
      "doctor",
      "load",
      "client",
    ]);
    expect(commands.filter(({ shown }) => shown.length > 0).length).toBeGreaterThanOrEqual(3);
  });

  describe("against servers at the addresses that it names", { tags: "proof" }, () => {
    let servers: readonly [TestServer, TestServer];
    beforeAll(async () => {
      servers = [await startServer({ repositories: [root] }), await startServer({ repositories: [root] })];
    });
    afterAll(async () => {
      await Promise.all(servers.map((server) => server.close()));
    });

    /** The same command for the servers of this test, with a load that is short. */
    const here = (step: PrintedStep): PrintedStep => ({
      ...step,
      command: step.command
        .replaceAll(/https:\/\/new\.example\.com/gu, servers[1].url)
        .replaceAll(/https:\/\/\w+\.example\.com/gu, servers[0].url)
        .replaceAll(/\b\w+\.example\.com/gu, "127.0.0.1")
        .replace(/assay load \S+/u, "$& --duration 10s"),
    });
    const variables = (): Variables => ({
      ASSAY_TOKEN: servers[0].token,
      ASSAY_AGAINST_TOKEN: servers[1].token,
      STAGING_URL: servers[0].url,
    });

    test.each(commands.filter((step) => !usesK6(step)))("$command", async (step) => {
      expect(await mistakesOf(here(step), variables())).toEqual([]);
    });

    test.runIf(hasK6()).each(commands.filter(usesK6))("$command", async (step) => {
      const { status, err } = await tried(here(step).command, variables(), 4);
      // A load of ten seconds decides nothing, and on a busy machine its figures cannot be trusted.
      expect({ status, err: [0, 3].includes(status ?? -1) ? "" : err }).toEqual({
        status: expect.toBeOneOf([0, 3]),
        err: "",
      });
    });
  });

  test("name files of this clone that exist", () => {
    const files = readme.flatMap(({ command }) => [...command.matchAll(/packages\/\S+/gu)].map(([path]) => path));
    expect(files.filter((path) => !existsSync(`${root}${path}`))).toEqual([]);
    expect(files.length).toBeGreaterThan(0);
  });
});

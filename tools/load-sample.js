import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { stripVTControlCharacters } from "node:util";
import { startServer } from "./reference-server.js";

/**
 * `npm run reports -- load-sample`: runs four comparisons of two reference servers and writes their output to
 * `reports/load-sample.md`. Takes seven minutes on a machine with two idle cores, and needs k6 (`npm run k6:build`).
 */
const root = fileURLToPath(new URL("..", import.meta.url));
const programPath = join(root, "packages/cli/bin/assay.js");
const slowServerFlags = ["--frozen", "--latency", "staging"];
const standardFlags = ["--preset", "standard", "--rate", "100"];

/** Each sample: its description, the servers to start in addition to those of Assay, and the flags of the load. */
const samples = [
  {
    title: "The same server twice",
    about:
      "No metric may be slower or faster. On a calm machine two minutes decide the median. On a busy one they leave it undecided, and the run says\nhow many more pairs of blocks may decide it.",
    servers: [slowServerFlags, slowServerFlags],
    flags: standardFlags,
  },
  {
    title: "The second server is slower by a fifth",
    about: "The second server multiplies its delays by 1.2.",
    servers: [slowServerFlags, [...slowServerFlags, "--latency-factor", "1.2"]],
    flags: standardFlags,
  },
  {
    title: "Only three seconds",
    about: "The same two servers, with too few blocks for a verdict.",
    servers: [slowServerFlags, [...slowServerFlags, "--latency-factor", "1.2"]],
    flags: ["--duration", "3s"],
  },
  {
    title: "A second server that cannot keep up",
    about:
      "Assay starts both servers. Searches of the second one take ten times as long, and at most 12 may wait at a time. Searches that could not\nbegin count as slower than the end of the run, in the figures (`>`) and in the verdicts.",
    servers: [],
    flags: "--against embedded --against-factor 10 --max-vus 12 --preset quick --duration 30s".split(" "),
  },
];

const formatArguments = (args) => args.map((arg) => (arg.includes(" ") ? `'${arg}'` : arg)).join(" ");

async function createSection({ title, about, servers, flags }, folder) {
  const runningServers = [];
  for (const serverFlags of servers) {
    // A server with the same priority would delay the load generator.
    runningServers.push(await startServer(serverFlags, { cwd: folder, isNice: true }));
  }
  try {
    const [base, head] = runningServers;
    const targetFlags = base === undefined ? [] : ["--url", base.url, "--against", head.url];
    const tokenVariables = base === undefined ? {} : { ASSAY_TOKEN: base.token, ASSAY_AGAINST_TOKEN: head.token };
    const args = [programPath, "load", "search-first-match", ...targetFlags, ...flags, "--out", "out"];
    const { status, stdout } = spawnSync(process.execPath, args, {
      cwd: folder,
      encoding: "utf8",
      env: { PATH: process.env["PATH"], HOME: folder, COLUMNS: "100", ...tokenVariables },
    });
    const loadCommand = `assay load search-first-match ${base === undefined ? "" : "--url $BASE --against $HEAD "}${formatArguments(flags)}`;
    const text = stripVTControlCharacters(stdout).trimEnd();
    return [
      `## ${title}`,
      "",
      about,
      "",
      "```sh",
      ...servers.map((serverFlags) => `assay serve ${formatArguments(serverFlags)}`),
      ...(base === undefined
        ? [loadCommand]
        : [`ASSAY_TOKEN=$BASE_TOKEN ASSAY_AGAINST_TOKEN=$HEAD_TOKEN \\`, `  ${loadCommand}`]),
      "```",
      "",
      "```text",
      text,
      "```",
      "",
      `Exit code ${status}.`,
      "",
    ];
  } finally {
    for (const server of runningServers) {
      await server.stop();
    }
    rmSync(join(folder, "out"), { recursive: true, force: true });
  }
}

/** Runs the samples and returns the page. */
async function createSamplePage() {
  const folder = mkdtempSync(join(tmpdir(), "assay-load-sample-"));
  try {
    const sections = [];
    for (const sample of samples) {
      sections.push(...(await createSection(sample, folder)));
    }
    return [
      "# Comparisons of two reference servers",
      "",
      "Both servers and the generator shared one machine with two cores. The servers ran with a lower priority (`nice`). `--latency staging`",
      "delays each search by a random time with a median of 50 ms; `--frozen` answers equal searches from memory. `$BASE_TOKEN` and",
      "`$HEAD_TOKEN` are what each server printed when it started.",
      "",
      ...sections,
    ].join("\n");
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

writeFileSync(join(root, "reports/load-sample.md"), await createSamplePage());

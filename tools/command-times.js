import { execFileSync, spawn } from "node:child_process";
import { cpSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/**
 * `npm run reports -- commands`: measures how long commands of the packed program take, next to a Node that does nothing, and writes
 * `reports/benchmarks/commands.{md,json}`. With `--smoke` it runs each once, with the program of this clone, and writes nothing.
 */
const root = fileURLToPath(new URL("..", import.meta.url));
const isSmoke = process.argv.includes("--smoke");
const program = join(root, isSmoke ? "" : ".packed/assay", "packages/cli/bin/assay.js");

/** @typedef {{ readonly name: string, readonly goalSeconds?: number, readonly rounds: number, readonly args: (folder: string, round: number) => readonly string[] }} TimedCommand */

/** Time of `node -e 0` on the machine for which the goals in seconds were set. Divided by it, they are goals for any machine. */
const bareSecondsOfGoals = 0.07;

/** @param {readonly string[]} args */
const assay = (...args) => [program, ...args];

/** @type {TimedCommand} */
const bareNode = { name: "`node -e 0`", rounds: 15, args: () => ["-e", "0"] };

/**
 * In the order in which they run: later ones read what earlier ones write.
 * @type {readonly TimedCommand[]}
 */
const commands = [
  { name: "`assay --version`", goalSeconds: 0.12, rounds: 15, args: () => assay("--version") },
  {
    name: "`assay check` of a small stream",
    goalSeconds: 0.25,
    rounds: 15,
    args: (folder) => assay("check", join(folder, "small.sse")),
  },
  {
    name: "`assay run`, embedded, every interface, proofs included",
    goalSeconds: 4,
    rounds: 5,
    args: (folder, round) =>
      assay("run", "--repo", join(folder, "repository"), "--out", join(folder, `run-${round}`), "--quiet"),
  },
  {
    name: "`assay judge` of that run",
    rounds: 5,
    args: (folder) => assay("judge", join(folder, "run-0"), "--quiet"),
  },
  {
    name: "`assay report --har` of that run",
    rounds: 1,
    args: (folder) => assay("report", join(folder, "run-0"), "--har", join(folder, "run.har")),
  },
  {
    name: "`assay check` of that HAR",
    goalSeconds: 3,
    rounds: 5,
    args: (folder) => assay("check", join(folder, "run.har"), "--quiet"),
  },
];

/**
 * Runs Node once. Returns the time until it has exited. Throws for an exit code other than 0.
 * @param {readonly string[]} args
 * @param {string} cwd
 * @returns {Promise<number>} seconds
 */
function measureSeconds(args, cwd) {
  return new Promise((resolve, reject) => {
    const start = performance.now();
    const child = spawn(process.execPath, args, { cwd, stdio: ["ignore", "ignore", "inherit"] });
    child.on("error", reject);
    child.on("exit", (code) => {
      const seconds = (performance.now() - start) / 1000;
      if (code === 0) {
        resolve(seconds);
      } else {
        reject(new Error(`node ${args.join(" ")} exited with ${code}`));
      }
    });
  });
}

/** @param {readonly number[]} values */
const median = (values) => values.toSorted((left, right) => left - right)[Math.floor(values.length / 2)] ?? Number.NaN;

/**
 * Measures a command, each time next to a bare Node.
 * @param {TimedCommand} command
 * @param {string} folder
 */
async function measure({ name, goalSeconds, rounds, args }, folder) {
  const seconds = [];
  const ratios = [];
  for (let round = 0; round < (isSmoke ? 1 : rounds); round += 1) {
    const bareSeconds = await measureSeconds(bareNode.args(folder, round), folder);
    const commandSeconds = await measureSeconds(args(folder, round), folder);
    seconds.push(commandSeconds);
    ratios.push(commandSeconds / bareSeconds);
  }
  const result = { name, goalSeconds, rounds, medianSeconds: median(seconds), timesBareNode: median(ratios) };
  console.log(`${name}: ${result.medianSeconds.toFixed(2)} s, ${result.timesBareNode.toFixed(1)} times a bare Node`);
  return result;
}

/**
 * @param {number} value
 * @param {number | undefined} goal
 * @param {number} digits
 */
const toCells = (value, goal, digits) =>
  goal === undefined
    ? `${value.toFixed(digits)} |  | `
    : `${value.toFixed(digits)} | ${goal.toFixed(digits)} | ${value <= goal ? "reached" : "MISSED"}`;

/** @param {Awaited<ReturnType<typeof measure>>} result */
const toRow = ({ name, goalSeconds, medianSeconds, timesBareNode }) => {
  const goalRatio = goalSeconds === undefined ? undefined : goalSeconds / bareSecondsOfGoals;
  return `| ${name} | ${toCells(medianSeconds, goalSeconds, 2)} | ${toCells(timesBareNode, goalRatio, 1)} |`;
};

/** @param {readonly Awaited<ReturnType<typeof measure>>[]} results */
const toMarkdown = (results) => `# Time of commands

Written by \`npm run reports -- commands\`; the same figures are in \`commands.json\`. Node ${process.version}. Seconds from the start
of a process to its exit, medians. Each run is next to one of \`node -e 0\`, which measures the machine: × node is the median of the
ratios. The goals in seconds were set for a machine on which \`node -e 0\` takes ${bareSecondsOfGoals} s; those for × node are the same,
divided by it. The program is the packed one, as users install it. The repository of \`assay run\` is a clone of Assay.

| command | seconds | goal | outcome | × node | goal | outcome |
| --- | --- | --- | --- | --- | --- | --- |
${results.map((result) => toRow(result)).join("\n")}
`;

const folder = mkdtempSync(join(tmpdir(), "assay-commands-"));
try {
  const samples = join(root, "packages/stream-grammar/fixtures/streams");
  cpSync(join(samples, "conforms.chunk-matches.sse"), join(folder, "small.sse"));
  execFileSync("git", ["clone", "--quiet", root, join(folder, "repository")]);
  const results = [];
  for (const command of [bareNode, ...commands]) {
    results.push(await measure(command, folder));
  }
  if (!isSmoke) {
    const json = { node: process.version, results };
    writeFileSync(join(root, "reports/benchmarks/commands.json"), `${JSON.stringify(json, undefined, 2)}\n`);
    writeFileSync(join(root, "reports/benchmarks/commands.md"), toMarkdown(results));
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}

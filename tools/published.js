import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
// @boundaries-ignore uses the built rules, as a program would
import { ruleCatalogue } from "../packages/contract/dist/index.js";
import { getThemeFiles, pictureFolder, pictures } from "./pictures.js";

/**
 * `npm run reports [-- NAME...]`: creates the published reports in `reports/` and the guides, all or only the named ones, and
 * records the commit and the rules of each in `reports/made-with.json`. Flags after a name are passed to its program. A
 * run with flags publishes a report only if the program writes one.
 */
const root = fileURLToPath(new URL("..", import.meta.url));
const manifestPath = join(root, "reports/made-with.json");
const node = process.execPath;

const benchmarkFiles = (name) => [`reports/benchmarks/${name}.md`, `reports/benchmarks/${name}.json`];

/** Every published report: its files, the programs that create it, and their duration on two idle cores. */
export const reports = {
  "kill-matrix": {
    about: "Which rule fails for which fault of the reference server, and for which altered response",
    files: ["reports/kill-matrix.md", "reports/kill-matrix-conversations.md", "reports/kill-matrix-counterexamples.md"],
    minutes: 10,
    commands: [
      ["npm", "run", "-s", "record-run"],
      ["npm", "run", "-s", "prove", "--", "kill-matrix", "counterexample-matrix", "--all", "--update"],
    ],
  },
  "load-sample": {
    about: "Four comparisons of two reference servers as the terminal shows them",
    files: ["reports/load-sample.md"],
    minutes: 7,
    commands: [[node, "tools/load-sample.js"]],
  },
  bench: {
    about: "Speed and memory of checking a stream, next to peers in the same run",
    files: benchmarkFiles("stream-check"),
    minutes: 12,
    commands: [
      ["npx", "tsc", "-b", "packages/rules/bench"],
      [node, "packages/rules/bench/dist/run.js"],
    ],
  },
  histories: {
    about: "Speed and memory of checking histories, next to a peer in the same run",
    files: benchmarkFiles("histories"),
    minutes: 5,
    // It uses the transition tables and no rules.
    usesRules: false,
    commands: [
      ["npx", "tsc", "-b", "packages/state-machine/bench"],
      [node, "packages/state-machine/bench/dist/run.js"],
    ],
  },
  commands: {
    about: "How long commands of the packed program take, next to a bare Node",
    files: benchmarkFiles("commands"),
    minutes: 2,
    commands: [
      [node, "tools/pack.js"],
      [node, "tools/command-times.js"],
    ],
  },
  "bench:load": {
    about: "Accuracy and capacity of k6 with Assay's module, next to other clients in the same run",
    files: benchmarkFiles("load"),
    minutes: 9,
    // It measures clients and judges no stream.
    usesRules: false,
    commands: [
      ["npx", "tsc", "-b", "packages/load/bench"],
      [node, "packages/load/bench/dist/run.js"],
    ],
  },
  mutate: {
    about: "Mutation testing of the code that judges",
    files: benchmarkFiles("mutation"),
    minutes: 50,
    commands: [[node, "tools/mutate.js"]],
  },
  peers: {
    about: "Assay and schemathesis against the same faults",
    files: benchmarkFiles("peers"),
    minutes: 10,
    commands: [[node, "tools/peers.js"]],
  },
  simulation: {
    about: "How often a comparison and a threshold are right, simulated",
    files: ["reports/benchmarks/comparison.md", "reports/benchmarks/threshold.md"],
    minutes: 25,
    // It uses only statistics and no rules.
    usesRules: false,
    commands: [["npm", "run", "-s", "prove", "--", "simulation", "--all", "--update"]],
    env: { ASSAY_SIMULATION: "full" },
  },
  pictures: {
    about: "Pictures of the guides",
    files: pictures.flatMap((picture) =>
      Object.values(getThemeFiles(picture)).map((file) => `${pictureFolder}/${file}`),
    ),
    minutes: 1,
    commands: [[node, "tools/pictures.js"]],
  },
};

const sha256 = (data) => createHash("sha256").update(data).digest("hex").slice(0, 12);

/** Returns a digest of the requirements of each rule without its texts, so that texts can be improved without recreating all reports. */
export const computeRulesDigest = () =>
  sha256(JSON.stringify(ruleCatalogue.map(({ id, basis, requirements }) => [id, basis, requirements])));

export const computeFileDigest = (path) => sha256(readFileSync(join(root, path)));

/** Reads the record of each file: its report, commit, rules and digest. */
export const readManifest = () => (existsSync(manifestPath) ? JSON.parse(readFileSync(manifestPath, "utf8")) : {});

const git = (...args) => spawnSync("git", args, { cwd: root, encoding: "utf8" }).stdout.trim();

/** Records that the files of a report were just created. */
function recordFiles(name) {
  const { files, usesRules = true } = reports[name];
  const commit = git("rev-parse", "--short=12", "HEAD");
  const rules = usesRules ? { rules: computeRulesDigest() } : {};
  const manifest = {
    ...readManifest(),
    ...Object.fromEntries(
      files.map((file) => [file, { report: name, commit, ...rules, sha256: computeFileDigest(file) }]),
    ),
  };
  const sortedManifest = Object.fromEntries(
    Object.entries(manifest).toSorted(([left], [right]) => (left < right ? -1 : 1)),
  );
  writeFileSync(manifestPath, `${JSON.stringify(sortedManifest, undefined, 2)}\n`);
}

/** Creates a report. Returns false if one of its programs fails. */
function createReport(name, flags) {
  const { about, commands, env = {}, files, minutes } = reports[name];
  process.stdout.write(`${name}: ${about}; about ${minutes} min\n`);
  const digestsBefore = files.map((file) => (existsSync(join(root, file)) ? computeFileDigest(file) : ""));
  for (const [index, [command, ...args]] of commands.entries()) {
    const extraFlags = index === commands.length - 1 ? flags : [];
    const { status } = spawnSync(command, [...args, ...extraFlags], {
      cwd: root,
      stdio: "inherit",
      env: { ...process.env, ...env },
    });
    if (status !== 0) {
      process.stderr.write(`${name}: ${command} ${args.join(" ")} exited with ${status}; no report is recorded\n`);
      return false;
    }
  }
  if (flags.length === 0 || files.some((file, index) => computeFileDigest(file) !== digestsBefore[index])) {
    recordFiles(name);
  }
  return true;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const args = process.argv.slice(2);
  const names = args.filter((arg) => Object.hasOwn(reports, arg));
  const flags = args.filter((arg) => !Object.hasOwn(reports, arg));
  if (names.length === 0 && flags.length > 0) {
    process.stderr.write(`unknown report ${flags[0]}; choose one of ${Object.keys(reports).join(", ")}\n`);
    process.exitCode = 2;
  } else {
    const successes = (names.length === 0 ? Object.keys(reports) : names).map((name) => createReport(name, flags));
    process.exitCode = successes.every(Boolean) ? 0 : 1;
  }
}

import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { schemathesisConfiguration, peerFaults, formatPeersReport } from "./peers-report.js";
import { startServer } from "./reference-server.js";

/**
 * `npm run peers`: runs Assay and schemathesis against the reference server without and with each of several faults, and writes
 * `reports/benchmarks/peers.{md,json}`. With ids of faults (`good` for none) it runs only those, and keeps the rows of the
 * others. schemathesis is installed from PyPI into a folder that git ignores. Takes ten minutes, and needs python3 with venv, and git.
 */
const root = fileURLToPath(new URL("..", import.meta.url));
const programPath = join(root, "packages/cli/bin/assay.js");
const pagePath = join(root, "reports/benchmarks/peers");
const environment = join(root, "node_modules/.cache/peers-schemathesis-4.32.5");
const requirements = ["schemathesis==4.32.5", "hypothesis==6.170.17", "jsonschema_rs==0.60.3"];
const seed = 1;
/** With `--smoke` runs only the reference server, for a short time, and writes no report: a check that both programs still run. */
const isSmoke = process.argv.includes("--smoke");
const limits = isSmoke ? { seconds: 8, examples: 5, endSeconds: 120 } : { seconds: 12, examples: 20, endSeconds: 90 };
const folder = mkdtempSync(join(tmpdir(), "assay-peers-"));
const repository = join(folder, "sample");
const settings = join(folder, "schemathesis.toml");

const goodServer = { about: "keeps the contract" };
const getSubjectName = ({ fault = "good" }) => fault;
const subjects = [goodServer, ...peerFaults];

/** Runs a program. Throws if it is missing or fails. */
function runProgram(command, args, advice) {
  const { error, status, stderr } = spawnSync(command, args, { encoding: "utf8", timeout: 300_000 });
  if (error !== undefined || status !== 0) {
    throw new Error(`${command} ${args.slice(0, 3).join(" ")}: ${(error?.message ?? stderr).trim()}\n${advice}`);
  }
}

const getSchemathesisPath = () => join(environment, "bin/schemathesis");

function installSchemathesis() {
  if (!existsSync(getSchemathesisPath())) {
    runProgram("python3", ["-m", "venv", environment], "schemathesis needs Python 3.10 or later with the module venv.");
    const pip = ["install", "--quiet", "--disable-pip-version-check", ...requirements];
    runProgram(join(environment, "bin/pip"), pip, "schemathesis could not be installed from PyPI.");
  }
}

/** Runs a program. Returns its exit code (-1 after a timeout) and its duration in seconds. */
function runTimed(command, args, env = {}) {
  const startedAt = Date.now();
  const { status } = spawnSync(command, args, {
    cwd: folder,
    env: { ...process.env, ...env },
    stdio: "ignore",
    timeout: limits.endSeconds * 1000,
    killSignal: "SIGKILL",
  });
  return { exitCode: status ?? -1, seconds: Math.round((Date.now() - startedAt) / 1000) };
}

const readJson = (path) => JSON.parse(readFileSync(path, "utf8"));

const assayArguments = ["run", "--seed", String(seed)];

function runAssay(name, variables) {
  const out = join(folder, `run-${name}`);
  const timing = runTimed(process.execPath, [programPath, ...assayArguments, "--quiet", "--out", out], variables);
  const path = join(out, "verdicts.json");
  const emptyResult = { exchanges: [], incomplete: [], verdicts: [] };
  const { exchanges, incomplete, verdicts } = existsSync(path) ? readJson(path) : emptyResult;
  const failedRules = verdicts.filter(({ verdict }) => verdict.outcome === "failed").map(({ rule }) => `\`${rule}\``);
  const incompleteReasons = incomplete.slice(0, 1).map(({ message }) => `no rule, but: ${message.split(";", 1)[0]}`);
  return { ...timing, requests: exchanges.length, spoke: failedRules.length === 0 ? incompleteReasons : failedRules };
}

const schemathesisArguments = [
  `--seed=${seed}`,
  `--max-time=${limits.seconds}`,
  `--max-examples=${limits.examples}`,
  "--request-timeout=10",
  "--continue-on-failure",
];

const createHeaders = (token) => ["-H", `Authorization: token ${token}`, "-H", "X-Requested-With: schemathesis 4"];

const formatCount = (count, what) => `${count} ${what}${count === 1 ? "" : "s"}`;

function runSchemathesis(name, { token, url }) {
  const reports = join(folder, `report-${name}`);
  const descriptionUrl = `${url}/api-reference/openapi.json`;
  const args = ["--config-file", settings, "run", descriptionUrl, ...createHeaders(token), ...schemathesisArguments];
  const timing = runTimed(getSchemathesisPath(), [...args, "--no-color", "--report", "json", "--report-dir", reports]);
  const file = existsSync(reports) ? readdirSync(reports).find((fileName) => fileName.endsWith(".json")) : undefined;
  const report = file === undefined ? {} : readJson(join(reports, file));
  const failures = (report.failures ?? []).map(
    ({ code, operations, title }) => `${title} (${code}, ${formatCount(operations.length, "operation")})`,
  );
  const errors = (report.errors ?? []).map(({ title, type }) => String(title ?? type));
  return {
    ...timing,
    requests: report.test_cases?.generated ?? 0,
    spoke: [...failures, ...new Set(errors)],
  };
}

const formatResult = ({ exitCode, seconds, spoke }) => `${exitCode} in ${seconds} s, ${spoke.join(", ") || "nothing"}`;

async function compareTools(subject) {
  const name = getSubjectName(subject);
  const faultFlags = subject.fault === undefined ? [] : ["--fault", subject.fault];
  const server = await startServer(["--repo", repository, "--seed", String(seed), ...faultFlags]);
  try {
    const row = {
      ...subject,
      assay: runAssay(name, server.environment),
      schemathesis: runSchemathesis(name, server),
    };
    process.stdout.write(
      `${name}\n  Assay: ${formatResult(row.assay)}\n  schemathesis: ${formatResult(row.schemathesis)}\n`,
    );
    return row;
  } finally {
    await server.stop();
  }
}

function readEarlierRows() {
  return existsSync(`${pagePath}.json`) ? readJson(`${pagePath}.json`).rows : [];
}

function listVersions() {
  return [
    `Assay ${readJson(join(root, "packages/cli/package.json")).version}`,
    ...requirements.map((requirement) => requirement.replace("==", " ")),
    spawnSync("python3", ["--version"], { encoding: "utf8" }).stdout.trim(),
    `Node ${process.version.slice(1)}`,
  ];
}

function writeReport(rows) {
  const rowsByName = new Map([...readEarlierRows(), ...rows].map((row) => [getSubjectName(row), row]));
  const quotedHeaders = createHeaders("$SRC_ACCESS_TOKEN").map((argument) =>
    argument === "-H" ? argument : `"${argument}"`,
  );
  const comparison = {
    versions: listVersions(),
    commands: {
      assay: ["assay", ...assayArguments].join(" "),
      schemathesis: `schemathesis --config-file schemathesis.toml run "$SRC_ENDPOINT/api-reference/openapi.json" ${[...quotedHeaders, ...schemathesisArguments].join(" ")}`,
    },
    rows: subjects.flatMap((subject) => rowsByName.get(getSubjectName(subject)) ?? []),
  };
  writeFileSync(`${pagePath}.json`, `${JSON.stringify(comparison, undefined, 2)}\n`);
  writeFileSync(`${pagePath}.md`, formatPeersReport(comparison));
}

const requestedNames = isSmoke ? [getSubjectName(goodServer)] : process.argv.slice(2);
const unknownNames = requestedNames.filter((name) => !subjects.some((subject) => getSubjectName(subject) === name));
try {
  if (unknownNames.length > 0) {
    throw new Error(`unknown fault ${unknownNames.join(", ")}; choose from ${subjects.map(getSubjectName).join(", ")}`);
  }
  installSchemathesis();
  // @boundaries-ignore the built program is used from outside, as a person would
  const { createSampleRepository } = await import("../packages/cli/dist/sample-repository.js");
  mkdirSync(repository);
  createSampleRepository(repository);
  writeFileSync(settings, schemathesisConfiguration);
  const rows = [];
  for (const subject of subjects.filter(
    (candidate) => requestedNames.length === 0 || requestedNames.includes(getSubjectName(candidate)),
  )) {
    rows.push(await compareTools(subject));
    // Keeps finished rows even if a later one fails.
    if (!isSmoke) {
      writeReport(rows);
    }
  }
  if (isSmoke && rows.some(({ assay, schemathesis: peer }) => assay.requests === 0 || peer.requests === 0)) {
    throw new Error(`one of the two programs sent no request: ${JSON.stringify(rows)}`);
  }
} catch (error) {
  process.stderr.write(`peers: ${error.message}\n`);
  process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/**
 * `node check-images.js WORK OUT`: runs Assay in the images that `build-images.js` built in WORK and wrote to OUT, against the server in
 * WORK/target.json, and checks what the images contain. Runs inside `overlay-root.sh`. Exits with 1 if a check fails.
 */
import { spawnSync } from "node:child_process";
import { createGzip } from "node:zlib";
import { createReadStream, chownSync, mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createBuildah } from "./buildah.js";
import { imageNames } from "./image-names.js";

const [work, archives] = process.argv.slice(2);
const buildah = createBuildah(work);
const script = fileURLToPath(new URL("run-in-image.sh", import.meta.url));
const target = JSON.parse(readFileSync(join(work, "target.json"), "utf8"));
const maxCompressedBytes = 250e6;
/** Not the user of the image, and in no list of users. */
const anyUser = 54_321;

/** Unpacks an image, and returns its root and its settings. */
function openImage(name) {
  const container = buildah(["from", "--pull-never", name]).trim();
  const root = buildah(["mount", container]).trim();
  const { config } = JSON.parse(buildah(["inspect", "--type", "image", name])).OCIv1;
  return { root, config };
}

/** Runs a program in an image and returns its exit code and output. */
function runIn({ root, config, folder }, command, { user = `${anyUser}:${anyUser}`, env = {} } = {}) {
  const variables = [...(config.Env ?? []), ...Object.entries(env).map(([name, value]) => `${name}=${value}`)];
  const { status, stdout, stderr } = spawnSync(
    "unshare",
    ["--mount", "--pid", "--ipc", "--uts", "--fork", "--kill-child", "sh", script, root, user, folder, ...command],
    {
      env: Object.fromEntries(variables.map((variable) => variable.split(/=(.*)/su))),
      encoding: "utf8",
      timeout: 300_000,
    },
  );
  return { status, output: `${stdout}${stderr}` };
}

let failures = 0;
function report(isPassed, sentence, output = "") {
  failures += isPassed ? 0 : 1;
  process.stdout.write(`${isPassed ? "ok    " : "FAILED"} ${sentence}\n`);
  if (!isPassed) {
    process.stdout.write(`${output.split("\n").slice(-25).join("\n")}\n`);
  }
}

function createWorkFolder(name) {
  const folder = join(work, name);
  mkdirSync(folder, { recursive: true });
  chownSync(folder, anyUser, anyUser);
  return folder;
}

/** A busy machine makes the figures of a load doubtful, which says nothing about the image. */
const isAboutMachine = (check) => check.startsWith("generator-") || check === "start-lag";

function checkLoad(image, entry) {
  const args = ["load", "search-first-match", "--url", target.url, "--rate", "4", "--duration", "5s", "--warmup", "1s"];
  const { status, output } = runIn(image, [entry, ...args, "--out", "load"], { env: { ASSAY_TOKEN: target.token } });
  const { outcomes, trust } = JSON.parse(readFileSync(join(image.folder, "load/load.json"), "utf8"));
  const failed = trust.checks.filter(({ ok }) => ok === false).map(({ check }) => check);
  const isExpected = status === 0 || (status === 3 && failed.length > 0 && failed.every(isAboutMachine));
  const hasAnswers = JSON.stringify(outcomes) === JSON.stringify({ stream: { ok: plannedSearches } });
  const note = status === 0 ? "" : ` (figures not trusted on this busy machine: ${failed.join(", ")})`;
  report(
    isExpected && hasAnswers,
    `assay load search-first-match --url URL sends ${plannedSearches} searches, all answered${note}`,
    output,
  );
  report(runIn(image, [entry, "report", "load"]).status === status, "assay report load exits as the load did");
}

const confirmed = ["--limits", "local", "--confirm-host", "search.example"];
const plannedSearches = 20;
const passingStream = [
  `event: progress\ndata: ${JSON.stringify({ done: true, matchCount: 0, durationMs: 1, skipped: [], repositoriesCount: 0 })}\n\n`,
  "event: done\ndata: {}\n\n",
].join("");

function checkAssay() {
  const image = { ...openImage(imageNames.assay), folder: createWorkFolder("mounted") };
  const [entry] = image.config.Entrypoint;
  const token = { ASSAY_TOKEN: target.token };
  const expectCode = (args, code, options) => {
    const { status, output } = runIn(image, [entry, ...args], { env: token, ...options });
    const name = `assay ${args.join(" ").replace(target.url, "URL")}`;
    report(
      status === code,
      `${name} exits with ${code}${options?.user === undefined ? "" : ", as the user of the image"}`,
      `exit code ${status}\n${output}`,
    );
    return output;
  };
  report(
    /^[1-9]\d*:[1-9]\d*$/u.test(image.config.User),
    `the image has a user that is not root (${image.config.User})`,
  );
  writeFileSync(join(image.folder, "passes.sse"), passingStream);
  writeFileSync(join(image.folder, "fails.sse"), passingStream.replace("event: done\ndata: {}\n\n", ""));
  expectCode(["--version"], 0, { user: image.config.User });
  expectCode(["doctor", "--url", target.url], 0);
  expectCode(["run", "--url", target.url, "--out", "run"], 0);
  expectCode(["check", "passes.sse"], 0);
  expectCode(["check", "fails.sse"], 1);
  expectCode(["check", "run"], 0);
  checkLoad(image, entry);
  const cluster = ["--kubernetes", "lab", "--image", imageNames.runner, "--dry-run"];
  const objects = expectCode(["load", "mixed", "--url", "http://search.example", ...confirmed, ...cluster], 0);
  report(objects.includes("kind: TestRun"), "and prints the objects of a load in a cluster", objects);
  const files = readdirSync(join(image.folder, "load"));
  report(
    ["load.json", "samples.ndjson"].every((file) => files.includes(file)) &&
      statSync(join(image.folder, "load/load.json")).uid === anyUser,
    "the run in the mounted folder belongs to the user who ran it",
    files.join("\n"),
  );
  const write = (path) => runIn(image, ["sh", "-c", `: > ${path}`], { user: "0:0" }).status;
  report(write("/opt/assay/x") !== 0 && write("/usr/x") !== 0, "the root file system is read-only");
  const isWorkWritable = runIn(image, ["sh", "-c", ": > /work/x"]).status === 0;
  report(isWorkWritable, "and /work is not, so that check can fail");
  report(
    runIn(image, ["git", "-C", "/work", "init", "-q"]).status === 0 &&
      runIn(image, ["git", "-C", "/work", "status"], { user: "55555:55555" }).status === 0,
    "git reads a folder that another user mounted",
  );
  report(runIn(image, ["test", "-s", "/etc/ssl/certs/ca-certificates.crt"]).status === 0, "the certificates are there");
  checkModules(image);
}

/** Installed packages are those of the lock file that are not for development. */
function checkModules({ root }) {
  const { packages } = JSON.parse(readFileSync(join(root, "opt/assay/package-lock.json"), "utf8"));
  const development = Object.entries(packages).filter(([, { dev }]) => dev === true);
  const installed = readdirSync(join(root, "opt/assay/node_modules")).filter((name) => !name.startsWith("."));
  const forbidden = ["typescript", "vitest", "oxlint", "turbo"].filter((name) => installed.includes(name));
  report(
    development.length === 0 && forbidden.length === 0 && installed.includes("libsql"),
    "no package for development is installed",
    installed.join(" "),
  );
}

function checkRunner() {
  const image = { ...openImage(imageNames.runner), folder: createWorkFolder("runner") };
  const { status, output } = runIn(image, ["k6", "version"], { user: image.config.User });
  report(
    status === 0 && output.includes("k6/x/assay"),
    "runner: k6 starts through its wrapper and has the module of Assay",
    output,
  );
  // As the operator starts k6.
  const operatorLine = "if [ ! -f /scenarios/mixed.js ]; then exit 1; fi;\ncut -d ' ' -f 1 /proc/self/stat";
  const processId = runIn(image, ["sh", "-c", operatorLine], { user: image.config.User }).output.trim();
  report(processId === "1", "runner: what the operator starts is the first process, so it receives signals", processId);
  const scripts = readdirSync(join(image.root, "scenarios"));
  report(scripts.includes("search-first-match.js"), "runner: the scenarios are bundled", scripts.join(" "));
  const needed = ["sh", "mkdir", "dirname", "cat", "grep", "cp", "rm", "sha256sum"].filter(
    (name) => runIn(image, ["sh", "-c", `command -v ${name}`]).status !== 0,
  );
  report(needed.length === 0, "runner: the programs that the operator starts are there", needed.join(" "));
}

function checkMerge() {
  const image = { ...openImage(imageNames.merge), folder: createWorkFolder("merge") };
  const { status, output } = runIn(image, [
    ...image.config.Entrypoint,
    "load",
    "merge",
    "/work/missing",
    "--out",
    "/work/merged",
  ]);
  report(
    status === 2 && output.includes("missing"),
    "merge: starts, and refuses a folder that is not there with 2",
    output,
  );
}

/** The runner has everything that the others have. */
async function checkSize() {
  let bytes = 0;
  for await (const chunk of createReadStream(join(archives, "runner.tar")).pipe(createGzip())) {
    bytes += chunk.length;
  }
  const megabytes = (bytes / 1e6).toFixed(1);
  report(bytes < maxCompressedBytes, `the largest image has ${megabytes} MB compressed, less than 250 MB`);
}

checkAssay();
checkRunner();
checkMerge();
await checkSize();
process.exitCode = failures === 0 ? 0 : 1;

// `npm run release:check [-- --node 20,22,24]`: performs a release without publishing it. Packs, installs the files into an
// empty folder with an empty cache, and uses them like a new user: without Go, without
// a clone, on each version of Node.
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parse } from "yaml";
import { parseFirstCommands } from "./package-pages.js";
import { client, configuration, example, scenario } from "./release-examples.js";

const root = fileURLToPath(new URL("..", import.meta.url));
const system = `${process.platform}-${process.arch}`;
const maxBytes = 5e6;
const maxDependencies = 12;
const readFlag = (name) => {
  const flagIndex = process.argv.indexOf(name);
  return flagIndex < 0 ? undefined : process.argv[flagIndex + 1];
};
/** Packed files, such as those of a release. By default they are packed now. */
const packedFlag = readFlag("--packed");
const packedFolder = packedFlag === undefined ? join(root, ".packed") : resolve(packedFlag);
/** Versions of Node to test. The version of this process is always the first. */
const nodeVersions = (readFlag("--node") ?? "20,22,24").split(",");

const folder = mkdtempSync(join(tmpdir(), "assay-release-"));
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
let failureCount = 0;

const reportCheck = (isGood, text, detail = "") => {
  failureCount += isGood ? 0 : 1;
  process.stdout.write(`${isGood ? "✓" : "✗"} ${text}\n${isGood || detail === "" ? "" : `${detail.trimEnd()}\n`}`);
};

/** A minimal environment: no Go, no tool of the clone, no variable of Assay. */
const minimalEnvironment = {
  ...Object.fromEntries(
    Object.entries(process.env).filter(([name]) =>
      /^(?:HOME|LANG|TMPDIR|SystemRoot|NODE_EXTRA_CA_CERTS|HTTPS?_PROXY|https?_proxy)$/u.test(name),
    ),
  ),
  npm_config_cache: join(folder, "cache"),
  npm_config_registry: process.env.npm_config_registry ?? "",
  npm_config_update_notifier: "false",
  npm_config_fund: "false",
  npm_config_audit: "false",
};
if (minimalEnvironment.npm_config_registry === "") {
  delete minimalEnvironment.npm_config_registry;
}

/** The path without folders that contain Go or a k6. */
const pathWithoutGo = (process.env.PATH ?? "")
  .split(delimiter)
  .filter((path) => !/(?:^|\/)go(?:\/|$)/u.test(path) && !path.includes("node_modules"))
  .join(delimiter);

function runCommand(command, args, { cwd = folder, path = pathWithoutGo, env = {} } = {}) {
  const result = spawnSync(command, args, {
    cwd,
    env: { ...minimalEnvironment, PATH: path, ...env },
    encoding: "utf8",
    maxBuffer: 2 ** 28,
    timeout: 600_000,
  });
  return { ...result, output: `${result.stdout ?? ""}${result.stderr ?? ""}` };
}

/** Checks the exit code of a command. Returns its output. */
function expectExit(text, [command, ...args], { codes = [0], has = [], ...options } = {}) {
  const startedAt = Date.now();
  const { output, status, stdout } = runCommand(command, args, options);
  const missingWords = has.filter((word) => !output.includes(word));
  const seconds = ((Date.now() - startedAt) / 1000).toFixed(1);
  const isGood = codes.includes(status) && missingWords.length === 0;
  const problem = missingWords.length === 0 ? `ended with ${status}` : `does not say ${missingWords.join(", ")}`;
  reportCheck(
    isGood,
    `${text} (${seconds} s)${isGood && codes.length > 1 ? `, exit code ${status}` : ""}`,
    `${problem}\n${output.slice(-3000)}`,
  );
  return stdout ?? "";
}

const listFilesUnder = (path) =>
  readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));

const localProgram = (name) => join(root, "node_modules/.bin", name);

/** Checks the contents of the package. */
function checkPackage() {
  const archive = readdirSync(packedFolder).find((name) => /^assay-\d.*\.tgz$/u.test(name));
  runCommand("tar", ["-xzf", join(packedFolder, archive)]);
  const stage = join(folder, "package");
  const files = listFilesUnder(stage);
  const bytes = files.reduce((sum, file) => sum + statSync(file).size, 0);
  const manifest = JSON.parse(readFileSync(join(stage, "package.json"), "utf8"));
  const dependencyCount = Object.keys(manifest.dependencies).length;
  reportCheck(bytes < maxBytes, `${(bytes / 1e6).toFixed(2)} MB unpacked, below ${maxBytes / 1e6}`);
  reportCheck(dependencyCount <= maxDependencies, `${dependencyCount} direct dependencies, at most ${maxDependencies}`);
  reportCheck(manifest.scripts === undefined, "no script that an installation runs");
  const strays = files.filter((file) => /\.test\.|\/(?:testing|fixtures|src)\//u.test(file));
  reportCheck(strays.length === 0, "neither tests nor fixtures nor sources inside", strays.join("\n"));
  const licences = readFileSync(join(stage, "THIRD-PARTY-LICENSES.md"), "utf8");
  reportCheck(/^## commander /mu.test(licences) && /^## undici /mu.test(licences), "licence texts of what is bundled");
  const path = process.env.PATH;
  expectExit("publint finds nothing", [localProgram("publint"), stage, "--strict"], { path });
  expectExit(
    "the types are what each import gives",
    [localProgram("attw"), join(packedFolder, archive), "--profile", "esm-only"],
    {
      path,
    },
  );
}

/** Installs the packed files, and other packages from the registry, into a new folder. */
function install(name, registryPackages = []) {
  const place = join(folder, name);
  mkdirSync(place);
  writeFileSync(join(place, "package.json"), `${JSON.stringify({ name, private: true, type: "module" })}\n`);
  const files = readdirSync(packedFolder)
    .filter((file) => /^assay-(?:\d|k6-).*\.tgz$/u.test(file))
    .filter((file) => !file.startsWith("assay-k6-") || file.startsWith(`assay-k6-${system}-`))
    .map((file) => join(packedFolder, file));
  expectExit(
    `installs into an empty folder${registryPackages.length === 0 ? ", with an empty cache" : ` with ${registryPackages.join(" ")}`}`,
    ["npm", "install", "--save-dev", ...files, ...registryPackages],
    { cwd: place },
  );
  return place;
}

/** Installs a version of Node from the registry. Returns its folder of programs. */
function installNode(version) {
  if (process.versions.node.startsWith(`${version}.`)) {
    return join(process.execPath, "..");
  }
  const place = join(folder, `node-${version}`);
  mkdirSync(place);
  writeFileSync(join(place, "package.json"), "{}\n");
  const library = `node-${system === "linux-x64" ? system : system.replace("win32", "win")}`;
  const { output, status } = runCommand("npm", ["install", `${library}@${version}`], { cwd: place });
  if (status !== 0) {
    reportCheck(false, `Node ${version} from the registry`, output.slice(-2000));
    return undefined;
  }
  return join(place, "node_modules", library, "bin");
}

/** Runs the scripts of the job that `assay init` writes, as GitHub would, against a correct server. */
async function checkWorkflow(place) {
  const assay = join(place, "node_modules/.bin/assay");
  const job = join(folder, "job");
  mkdirSync(job);
  writeFileSync(join(job, "package.json"), "{}\n");
  expectExit("assay init", [assay, "init", "--ci", "github", "--format", "js"], { cwd: job });
  const child = spawn(assay, ["serve", "--json", "--until-input-ends"], {
    cwd: job,
    env: { ...minimalEnvironment, PATH: pathWithoutGo },
    stdio: ["pipe", "pipe", "inherit"],
  });
  const [line] = await once(child.stdout, "data");
  const { token, url } = JSON.parse(String(line));
  const config = join(job, "assay.config.js");
  writeFileSync(config, readFileSync(config, "utf8").replace("https://staging.example.com", url));
  const { env, steps } = parse(readFileSync(join(job, ".github/workflows/assay.yml"), "utf8")).jobs.gate;
  const archive = readdirSync(packedFolder).find((name) => /^assay-\d.*\.tgz$/u.test(name));
  const workflowVariables = {
    ...env,
    ASSAY_PACKAGE: join(packedFolder, archive),
    GITHUB_EVENT_NAME: "push",
    RUNNER_TEMP: join(job, "temp"),
  };
  mkdirSync(workflowVariables.RUNNER_TEMP);
  for (const { name, run } of steps.filter((step) => step.run !== undefined)) {
    expectExit(`the workflow of assay init: ${name}`, ["bash", "-eo", "pipefail", "-c", run], {
      cwd: job,
      env: { ...workflowVariables, ASSAY_TOKEN: token },
    });
    if (name === "Gate") {
      const fork = { ...workflowVariables, GITHUB_EVENT_NAME: "pull_request", ASSAY_TOKEN: "" };
      const options = { cwd: job, env: fork, has: ["not gated"] };
      expectExit("the workflow of assay init, for a fork", ["bash", "-eo", "pipefail", "-c", run], options);
    }
  }
  child.stdin.end();
}

/** Uses an installation like a user, with one version of Node. */
function checkInstallation(place, version) {
  const programs = installNode(version);
  if (programs === undefined) {
    return;
  }
  const options = { cwd: place, path: [programs, join(place, "node_modules/.bin"), pathWithoutGo].join(delimiter) };
  const out = join(place, `runs-${version}`);
  const labelFor = (text) => `Node ${version}: ${text}`;
  const assay = (...args) => [
    join(programs, "node"),
    join(place, "node_modules/assay/packages/cli/bin/assay.js"),
    ...args,
  ];
  expectExit(labelFor("assay --version"), assay("--version"), {
    ...options,
    has: ["assay ", "contract ", "k6 2", `node ${version}.`],
  });
  expectExit(labelFor("assay doctor --self"), assay("doctor", "--self"), {
    ...options,
    has: [`from the package assay-k6-${system}`],
  });
  expectExit(labelFor("assay run --profile smoke"), assay("run", "--profile", "smoke", "--out", join(out, "smoke")), {
    ...options,
    has: ["PASSED"],
  });
  expectExit(labelFor("assay run"), assay("run", "--out", join(out, "run")), {
    ...options,
    has: ["rules passed"],
  });
  expectExit(labelFor("assay report"), assay("report", join(out, "run"), "--out", join(out, "page.html")), options);
  expectExit(labelFor("assay check"), assay("check", join(out, "run")), options);
  expectExit(labelFor("assay judge"), assay("judge", join(out, "run")), options);
  expectExit(labelFor("assay run --fault comment"), assay("run", "--fault", "comment", "--profile", "smoke"), {
    ...options,
    codes: [1],
    has: ["stream/two-fields"],
  });
  writeFileSync(join(place, "client.mjs"), client);
  // The client sends a request that does not match its task, so its check fails.
  const trial = assay("client", "--trial", "ordinary-search", "--", join(programs, "node"), join(place, "client.mjs"));
  expectExit(labelFor("assay client"), trial, {
    ...options,
    codes: [1],
    has: ["request/text-intact", "checks passed"],
  });
  // On a busy machine a load reports that its figures are not reliable (3), but it ran.
  expectExit(
    labelFor("assay load for 10 s"),
    assay("load", "search-first-match", "--duration", "10s", "--out", join(out, "load")),
    { ...options, codes: [0, 3], has: ["first-match"] },
  );
}

/** Checks a custom scenario: an error without a bundler, and a load with one. */
function checkScenario(place) {
  writeFileSync(join(place, "mine.ts"), scenario);
  const assay = join(place, "node_modules/.bin/assay");
  const load = [assay, "load", "./mine.ts", "--duration", "5s", "--warmup", "1s"];
  expectExit("a scenario of one's own without rolldown", load, {
    cwd: place,
    codes: [2],
    has: ["npm install --save-dev rolldown"],
  });
  const registryPackages = ["rolldown@1.2.19", "typescript@5.9.3", "@types/k6@2.3.0"];
  expectExit("installs rolldown beside it", ["npm", "install", "--save-dev", ...registryPackages], { cwd: place });
  expectExit("a scenario of one's own with rolldown", load, { cwd: place, codes: [0, 3], has: ["first-match"] });
  const flags = ["--noEmit", "--strict", "--module", "nodenext", "--types", "k6", "--skipLibCheck", "mine.ts"];
  expectExit("types of a scenario of one's own", [join(place, "node_modules/.bin/tsc"), ...flags], { cwd: place });
}

const packedReadme = (place) => readFileSync(join(place, "node_modules/assay/README.md"), "utf8");

/** Runs the first commands of the packed README in an empty folder. */
function checkReadme() {
  const place = install("readme");
  for (const { command, exitCode } of parseFirstCommands(packedReadme(place))) {
    expectExit(`the packed README: ${command}`, ["bash", "-c", command], { cwd: place, codes: [exitCode] });
  }
}

/** Checks types and behaviour of the exports, with both module resolutions of TypeScript. */
function checkImports() {
  const place = install("types", ["vitest@4.1.12", "typescript@5.9.3", "@types/node@20"]);
  writeFileSync(join(place, "example.test.ts"), example);
  writeFileSync(
    join(place, "readme.test.ts"),
    /^```ts\n(?<code>[\s\S]*?)^```$/mu.exec(packedReadme(place)).groups.code,
  );
  writeFileSync(join(place, "assay.config.ts"), configuration);
  const bin = (name) => join(place, "node_modules/.bin", name);
  for (const [module, moduleResolution] of [
    ["nodenext", "nodenext"],
    ["esnext", "bundler"],
  ]) {
    const flags = ["--noEmit", "--strict", "--target", "es2022", "--lib", "es2023,dom,dom.iterable,esnext.disposable"];
    const files = ["example.test.ts", "readme.test.ts", "assay.config.ts"];
    const words = ["--module", module, "--moduleResolution", moduleResolution, "--types", "node"];
    expectExit(
      `types in ${moduleResolution} mode, libraries checked too`,
      [bin("tsc"), ...flags, ...words, "--exactOptionalPropertyTypes", ...files],
      {
        cwd: place,
      },
    );
  }
  const mistypedConfiguration = configuration.replace("access", "acces");
  writeFileSync(join(place, "wrong.config.ts"), mistypedConfiguration);
  expectExit(
    "a mistyped configuration does not compile",
    [bin("tsc"), "--noEmit", "--strict", "--module", "nodenext", "wrong.config.ts"],
    {
      cwd: place,
      codes: [1, 2],
      has: ["acces"],
    },
  );
  expectExit("the examples work in somebody's own vitest", [bin("vitest"), "run"], { cwd: place, has: ["4 passed"] });
  expectExit("a configuration is found", [bin("assay"), "config", "run", "--target", "staging"], {
    cwd: place,
    has: ["https://staging.example.com"],
  });
}

const startedAt = Date.now();
const packResult =
  packedFlag === undefined
    ? spawnSync("npm", ["run", "-s", "pack", "--", "--k6", system], { cwd: root, stdio: "inherit" })
    : { status: 0 };
if (packResult.status === 0) {
  checkPackage();
  const place = install("project");
  const scripts = runCommand(
    "npm",
    ["query", ":attr(scripts, [postinstall]), :attr(scripts, [install]), :attr(scripts, [preinstall])"],
    {
      cwd: place,
    },
  );
  const packagesWithScripts = JSON.parse(scripts.stdout).map(({ name }) => name);
  reportCheck(
    packagesWithScripts.length === 0,
    "nothing that is installed runs a script",
    packagesWithScripts.join(", "),
  );
  for (const version of nodeVersions) {
    checkInstallation(place, version);
  }
  checkReadme();
  await checkWorkflow(place);
  checkScenario(place);
  checkImports();
} else {
  reportCheck(false, "packing");
}
const seconds = Math.round((Date.now() - startedAt) / 1000);
process.stdout.write(
  `${failureCount === 0 ? "ready for release" : `${failureCount} checks failed`}, in ${seconds} s\n`,
);
process.exitCode = failureCount === 0 ? 0 : 1;

import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";

/**
 * `npm run record-run`: records runs of the embedded server over the sample repository, for the tests of `runner` that prove rules
 * without a server. Each file is a compressed JSON object: the files of the evidence by path, in base64. Run it again when probes
 * change; those tests fail until then.
 */
const root = fileURLToPath(new URL("..", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "assay-recorded-"));
const names = ["one", "other"];

/** @param {string} flag @param {readonly string[]} values */
const repeatFlag = (flag, values) => values.flatMap((value) => [flag, value]);

/** Runs to record, by file name: a complete run, and runs of servers with different settings. */
const runs = {
  "recorded-run": repeatFlag("--interface", ["stream", "legacy", "current"]),
  "recorded-open-run": [
    "--access",
    "public",
    "--sharing",
    "off",
    "--fault",
    "own-limit-named",
    ...repeatFlag("--rule", [
      "stream/anonymous-search-is-accepted",
      "stream/cut-results-are-named",
      "legacy/unshared-conversation-is-hidden",
    ]),
  ],
  // Recorded separately, because an alert explains all missing results.
  "recorded-alert-run": ["--fault", "alert-with-level", "--rule", "stream/alert-level-is-listed"],
};

/** @param {string} name @param {readonly string[]} flags */
function recordRun(name, flags) {
  const out = join(folder, name);
  // The sample does not change, unlike the files of a clone. Two repositories allow more checks than one.
  const repositories = names.flatMap((repository) => ["--repo", join(folder, repository)]);
  const command = ["run", "--embedded", ...repositories, "--seed", "1", "--quiet", ...flags, "--out", out];
  const { status } = spawnSync(process.execPath, [join(root, "packages/cli/bin/assay.js"), ...command], {
    cwd: folder,
    stdio: "inherit",
  });
  if (status !== 0) {
    throw new Error(`the run to record as ${name} exited with ${status}`);
  }
  const bodies = readdirSync(join(out, "bodies")).map((body) => `bodies/${body}`);
  const paths = ["manifest.json", "exchanges.ndjson", "footer.json", ...bodies.toSorted()];
  const files = Object.fromEntries(paths.map((path) => [path, readFileSync(join(out, path)).toString("base64")]));
  writeFileSync(join(root, `packages/runner/fixtures/${name}.json.gz`), gzipSync(JSON.stringify(files), { level: 9 }));
}

try {
  // @boundaries-ignore the built program is used from outside, as a person would
  const { createSampleRepository } = await import("../packages/cli/dist/sample-repository.js");
  for (const name of names) {
    mkdirSync(join(folder, name));
    createSampleRepository(join(folder, name));
  }
  for (const [name, flags] of Object.entries(runs)) {
    recordRun(name, flags);
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}

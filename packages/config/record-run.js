import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";

/**
 * `npm run record-run`: records a run of the embedded server that searches the sample repository, for the tests of `runner` that
 * prove rules without a server. The file is a JSON object, compressed: each file of the evidence by its path, in base64. To be
 * made anew when probes change; those tests say so.
 */
const root = fileURLToPath(new URL("../..", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "assay-recorded-"));
const names = ["one", "other"];

function recordRun() {
  const out = join(folder, "run");
  // What a clone holds changes every day; the sample does not. Two repositories show more than one.
  const interfaces = ["stream", "legacy", "current"].flatMap((name) => ["--interface", name]);
  const repositories = names.flatMap((name) => ["--repo", join(folder, name)]);
  const command = ["run", ...repositories, "--seed", "1", "--quiet", ...interfaces, "--out", out];
  const { status } = spawnSync(process.execPath, [join(root, "packages/cli/bin/assay.js"), ...command], {
    cwd: folder,
    stdio: "inherit",
  });
  if (status !== 0) {
    throw new Error(`the run that was to be recorded ended with ${status}`);
  }
  const bodies = readdirSync(join(out, "bodies")).map((name) => `bodies/${name}`);
  const paths = ["manifest.json", "exchanges.ndjson", "footer.json", ...bodies.toSorted()];
  const files = Object.fromEntries(paths.map((path) => [path, readFileSync(join(out, path)).toString("base64")]));
  writeFileSync(
    join(root, "packages/runner/fixtures/recorded-run.json.gz"),
    gzipSync(JSON.stringify(files), { level: 9 }),
  );
}

try {
  // @boundaries-ignore the program that was built is used from outside, as a person would
  const { makeSampleRepository } = await import("../cli/dist/sample-repository.js");
  for (const name of names) {
    mkdirSync(join(folder, name));
    makeSampleRepository(join(folder, name));
  }
  recordRun();
} finally {
  rmSync(folder, { recursive: true, force: true });
}

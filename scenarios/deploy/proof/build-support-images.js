/**
 * `node build-support-images.js WORK OUT PROGRAMS`: packs the programs that pods need besides ours into images under their public names, so
 * that no manifest changes: the operator and pause, which are built from their sources, and the operator's starter, which is a
 * substitute (a shell and the curl of this machine). Runs inside `overlay-root.sh`.
 */
import { cpSync, mkdirSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import { createBuildah } from "./buildah.js";
import { runProgram } from "./run-program.js";

const [work, out, programs] = process.argv.slice(2);
const buildah = createBuildah(work);

function commit(archive, name, { files, settings }) {
  const folder = join(work, archive);
  for (const [source, path] of files) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    cpSync(source, join(folder, path));
  }
  const container = buildah(["from", "scratch"]).trim();
  buildah(["copy", container, folder, "/"]);
  buildah(["config", ...settings, container]);
  buildah(["commit", "--rm", container, name]);
  buildah(["push", name, `docker-archive:${join(out, `${archive}.tar`)}:${name}`]);
}

/** A program and the libraries that it loads, at their places. */
function listWithLibraries(program) {
  const libraries = runProgram("ldd", [program]).match(/\/\S+/gu) ?? [];
  return [program, ...libraries].map((path) => [realpathSync(path), path]);
}

const asEntrypoint = (path) => ["--entrypoint", JSON.stringify([path]), "--user", "65532:65532"];

commit("pause", "registry.k8s.io/pause:3.10", {
  files: [[join(programs, "pause"), "/pause"]],
  settings: asEntrypoint("/pause"),
});
commit("operator", "ghcr.io/grafana/k6-operator:controller-v1.5.0", {
  files: [[join(programs, "k6-operator"), "/manager"]],
  settings: asEntrypoint("/manager"),
});
commit("starter", "ghcr.io/grafana/k6-operator:latest-starter", {
  files: [...listWithLibraries("/usr/bin/curl"), ["/bin/busybox", "/bin/sh"]],
  settings: ["--env", "PATH=/usr/bin:/bin", "--user", "12345:12345"],
});

import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { openCacheFolder } from "./cache-folder.js";
import { runProgram } from "./run-program.js";

const kubernetesVersion = "1.33.4";

/** Without these, the programs report the version v0.0.0 and the nodes are refused as too old. */
const versionFlags = [
  `-X k8s.io/component-base/version.gitVersion=v${kubernetesVersion}`,
  "-X k8s.io/component-base/version.gitMajor=1",
  "-X k8s.io/component-base/version.gitMinor=33",
  "-X k8s.io/component-base/version.gitTreeState=clean",
  `-X k8s.io/client-go/pkg/version.gitVersion=v${kubernetesVersion}`,
].join(" ");

const kubernetesProgram = (name) => ({ name, module: "kubernetes", source: `k8s.io/kubernetes/cmd/${name}` });

/** The API server is second, because it compiles most of what the others share. */
const programs = [
  { name: "etcd", module: "kubernetes", source: "go.etcd.io/etcd/server/v3" },
  kubernetesProgram("kube-apiserver"),
  kubernetesProgram("kube-controller-manager"),
  kubernetesProgram("kube-scheduler"),
  kubernetesProgram("kubelet"),
  kubernetesProgram("kube-proxy"),
  kubernetesProgram("kubectl"),
  { name: "k6-operator", module: "operator", source: "github.com/grafana/k6-operator/cmd" },
];

const goEnv = { ...process.env, CGO_ENABLED: "0", GOWORK: "off", GOFLAGS: "-mod=readonly -buildvcs=false -p=2" };

function runGo(module, args, stdio) {
  const cwd = fileURLToPath(new URL(`${module}/`, import.meta.url));
  // Low priority: a cold build takes half an hour of a busy machine.
  const { error, status, stdout } = spawnSync("nice", ["-n", "19", "go", ...args], {
    cwd,
    env: goEnv,
    stdio,
    encoding: "utf8",
  });
  if (error !== undefined || status !== 0) {
    throw new Error(`go ${args.join(" ")} failed in ${cwd}`, { cause: error });
  }
  return stdout;
}

/** Returns the folder of a module's sources, which Go downloads and verifies with go.sum. */
export function findModuleSources(module, path) {
  const { Dir: folder } = JSON.parse(runGo(module, ["mod", "download", "-json", path], ["ignore", "pipe", "inherit"]));
  return folder;
}

/** Builds the program that holds the namespaces of a pod, from the sources of Kubernetes. */
function buildPause(folder) {
  const program = join(folder, "pause");
  if (!existsSync(program)) {
    const source = join(findModuleSources("kubernetes", "k8s.io/kubernetes"), "build/pause/linux/pause.c");
    const temporaryProgram = join(folder, `.pause.${process.pid}`);
    runProgram("gcc", ["-Os", "-static", "-DVERSION=3.10", "-o", temporaryProgram, source]);
    renameSync(temporaryProgram, program);
  }
}

/**
 * Builds the control plane, the programs of a node, kubectl and the k6-operator, and returns their folder. A program is
 * complete or missing, and Go caches every package it compiled: after an interruption the build continues where it was.
 */
export function buildPrograms(print) {
  const goVersion = runGo("kubernetes", ["env", "GOVERSION"], ["ignore", "pipe", "inherit"]).trim();
  const moduleFiles = ["kubernetes", "operator"].flatMap((module) =>
    ["go.mod", "go.sum"].map((file) => new URL(`${module}/${file}`, import.meta.url)),
  );
  const folder = openCacheFolder("programs", [goVersion, process.arch, versionFlags, ...moduleFiles]);
  for (const unfinished of readdirSync(folder).filter((name) => name.startsWith("."))) {
    rmSync(join(folder, unfinished));
  }
  for (const { name, module, source } of programs) {
    const program = join(folder, name);
    if (!existsSync(program)) {
      const startedAt = Date.now();
      const temporaryProgram = join(folder, `.${name}.${process.pid}`);
      const flags = ["-trimpath", "-ldflags", `-s -w ${versionFlags}`, "-o", temporaryProgram];
      runGo(module, ["build", ...flags, source], ["ignore", "ignore", "inherit"]);
      renameSync(temporaryProgram, program);
      print(`built ${name} in ${Math.round((Date.now() - startedAt) / 1000)} s`);
    }
  }
  buildPause(folder);
  return folder;
}

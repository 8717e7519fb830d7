import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openCacheFolder } from "./cache-folder.js";
import { runProgram } from "./run-program.js";

const pullMs = 120_000;

/** Returns the images that a Dockerfile starts from, without its own stages. */
export function listBaseImages(dockerfile) {
  const lines = [...dockerfile.matchAll(/^FROM (\S+) AS (\S+)$/gmu)];
  const stages = new Set(lines.map(([, , stage]) => stage));
  return [...new Set(lines.map(([, image]) => image))].filter((image) => !stages.has(image));
}

/** Returns the release and the mirror that apt uses on this machine. */
function findDebianRelease() {
  const [, suite] = /^VERSION_CODENAME=(\S+)$/mu.exec(readFileSync("/etc/os-release", "utf8")) ?? [];
  const targets = runProgram("apt-get", ["indextargets", "--format", "$(RELEASE) $(REPO_URI)"]).split("\n");
  const mirror = targets.map((line) => line.split(" ")).find(([release]) => release === suite)?.[1];
  if (suite === undefined || mirror === undefined) {
    throw new Error(
      "apt names no mirror for the release of this machine, so no substitute for a base image can be made",
    );
  }
  return { suite, mirror };
}

/** Creates the smallest system of this machine's release, and returns its archive in the cache. */
function createDebianArchive(work) {
  const { suite, mirror } = findDebianRelease();
  const folder = openCacheFolder("debian", [suite, mirror, process.arch]);
  const archive = join(folder, "root.tar");
  if (!existsSync(archive)) {
    const root = join(work, "debian");
    runProgram("debootstrap", ["--variant=minbase", "--include=libatomic1,libstdc++6", suite, root, mirror]);
    rmSync(join(root, "var/cache/apt/archives"), { recursive: true, force: true });
    rmSync(join(root, "var/lib/apt/lists"), { recursive: true, force: true });
    runProgram("tar", ["--one-file-system", "-C", root, "-cf", `${archive}.${process.pid}`, "."]);
    renameSync(`${archive}.${process.pid}`, archive);
    rmSync(root, { recursive: true, force: true });
  }
  return archive;
}

/** The Node and npm of this machine, at the paths of the public image. */
function copyNode(folder) {
  const npm = join(runProgram("npm", ["root", "--global"]).trim(), "npm");
  mkdirSync(join(folder, "usr/local/bin"), { recursive: true });
  cpSync(process.execPath, join(folder, "usr/local/bin/node"));
  cpSync(npm, join(folder, "usr/local/lib/node_modules/npm"), { recursive: true, dereference: true });
  symlinkSync("../lib/node_modules/npm/bin/npm-cli.js", join(folder, "usr/local/bin/npm"));
}

/** The Go of this machine, and its downloaded modules as a proxy, which go.sum verifies as any other. */
function copyGo(folder) {
  const [goRoot, moduleCache] = runProgram("go", ["env", "GOROOT", "GOMODCACHE"]).trim().split("\n");
  // Downloads what the build needs and is missing here.
  runProgram("go", ["list", "-deps", "."], { cwd: new URL("../../k6/", import.meta.url) });
  mkdirSync(join(folder, "usr/local"), { recursive: true });
  cpSync(goRoot, join(folder, "usr/local/go"), { recursive: true, verbatimSymlinks: true });
  return [
    "--env",
    "PATH=/usr/local/go/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
    "--env",
    `GOPROXY=file://${join(moduleCache, "cache/download")}`,
  ];
}

const substitutes = {
  node: { copy: copyNode, description: `Node ${process.versions.node} of this machine` },
  golang: { copy: copyGo, description: "Go of this machine" },
};

function createSubstitute(image, { buildah, work }) {
  const [name] = image.split(":");
  const { copy, description } = substitutes[name];
  const folder = join(work, "substitute");
  mkdirSync(folder, { recursive: true });
  const settings = copy(folder) ?? [];
  const container = buildah(["from", "scratch"]).trim();
  buildah(["add", container, createDebianArchive(work), "/"]);
  buildah(["copy", container, folder, "/"]);
  buildah(["config", ...settings, container]);
  buildah(["commit", "--rm", container, `docker.io/library/${image}`]);
  rmSync(folder, { recursive: true });
  return `${image} is a SUBSTITUTE: the smallest system of this Debian release, with the ${description}`;
}

/**
 * Puts the base images into the storage of `buildah`. Where one cannot be pulled, a substitute takes its name. Returns a line about
 * each image.
 */
export function provideBaseImages(images, context) {
  return images.map((image) => {
    try {
      context.buildah(["pull", "--retry", "0", `docker.io/library/${image}`], { timeout: pullMs });
      return `${image} is the public image`;
    } catch {
      return createSubstitute(image, context);
    }
  });
}

/**
 * Returns the mounts with which npm and Go download from where this machine does: the address of the registry and the certificates, and
 * the modules and compiled packages that Go has. Mounts do not become part of an image.
 */
export function writeBuildSettings(work) {
  const registry = runProgram("npm", ["config", "get", "registry"]).trim();
  const certificates = process.env.NODE_EXTRA_CA_CERTS;
  const file = join(work, "npmrc");
  const lines = [`registry=${registry}`, ...(certificates ? ["cafile=/run/machine-certificates"] : [])];
  writeFileSync(file, `${lines.join("\n")}\n`);
  const [modules, compiled] = runProgram("go", ["env", "GOMODCACHE", "GOCACHE"]).trim().split("\n");
  return [
    `${file}:/root/.npmrc:ro`,
    `${modules}:${modules}:ro`,
    `${compiled}:/root/.cache/go-build`,
    ...(certificates ? [`${certificates}:/run/machine-certificates:ro`] : []),
  ];
}

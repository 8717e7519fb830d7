import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { openCacheFolder } from "./cache-folder.js";
import { runInOverlay } from "./run-in-overlay.js";
import { runProgram } from "./run-program.js";

const root = fileURLToPath(new URL("../../../", import.meta.url));

/** What the Dockerfile copies; see Dockerfile.dockerignore for what it leaves out. */
const imageSources = [
  ".npmrc",
  "LICENSE",
  "README.md",
  "package.json",
  "package-lock.json",
  "turbo.json",
  "packages",
  "scenarios",
  "tools",
];

/** Files of this folder that do not get into an image. */
const isLeftOut = (path) =>
  path.startsWith("scenarios/deploy/") && !/\/(?:Dockerfile(?:\.dockerignore)?|k6-in-pod\.sh)$/u.test(path);

function readImageSources() {
  const list = ["ls-files", "-z", "--cached", "--others", "--exclude-standard", "--", ...imageSources];
  const paths = runProgram("git", list, { cwd: root }).split("\0");
  return paths.flatMap((path) =>
    path === "" || isLeftOut(path) || !existsSync(join(root, path)) ? [] : [path, readFileSync(join(root, path))],
  );
}

/** Fills a folder of the cache once: it is complete or missing. */
async function fillOnce(folder, fill) {
  const archives = join(folder, "archives");
  if (!existsSync(archives)) {
    const unfinished = join(folder, "unfinished");
    rmSync(unfinished, { recursive: true, force: true });
    mkdirSync(unfinished);
    await fill(unfinished);
    renameSync(unfinished, archives);
  }
  return archives;
}

/** Builds the images of the Dockerfile, unless the cache has those of the same sources. Returns the folder of the archives. */
export const provideImages = async (context) =>
  fillOnce(openCacheFolder("images", readImageSources()), async (out) =>
    runInOverlay(context, "build-images.js", [context.work, out]),
  );

/** Packs the programs of the cluster into images, unless the cache has them. Returns the folder of the archives. */
export const provideSupportImages = async (context, programs) =>
  fillOnce(openCacheFolder("support-images", [programs]), async (out) =>
    runInOverlay(context, "build-support-images.js", [context.work, out, programs]),
  );

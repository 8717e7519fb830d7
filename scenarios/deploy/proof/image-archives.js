import { existsSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync } from "node:fs";
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
  path.startsWith("scenarios/deploy/") && !/\/(?:Dockerfile(?:\.dockerignore)?|k6-in-pod\.sh|base\/.*)$/u.test(path);

function readImageSources() {
  const list = ["ls-files", "-z", "--cached", "--others", "--exclude-standard", "--", ...imageSources];
  const paths = runProgram("git", list, { cwd: root }).split("\0");
  return paths.flatMap((path) =>
    path === "" || isLeftOut(path) || !existsSync(join(root, path)) ? [] : [path, readFileSync(join(root, path))],
  );
}

/** Fills a folder of the cache: it is complete or missing. */
async function fill(folder, create) {
  const unfinished = join(folder, "unfinished");
  const archives = join(folder, "archives");
  rmSync(unfinished, { recursive: true, force: true });
  mkdirSync(unfinished);
  await create(unfinished);
  if (readdirSync(unfinished).length === 0) {
    throw new Error(`no archive of an image was written to ${unfinished}`);
  }
  rmSync(archives, { recursive: true, force: true });
  renameSync(unfinished, archives);
  return archives;
}

const fillOnce = async (folder, create) =>
  existsSync(join(folder, "archives")) ? join(folder, "archives") : fill(folder, create);

const openImageFolder = () => openCacheFolder("images", readImageSources());

/** Builds the images of the Dockerfile, and keeps them in the cache if `check` resolves, which gets their folder. */
export const buildAndCheckImages = async (context, check) =>
  fill(openImageFolder(), async (out) => {
    await runInOverlay(context, "build-images.js", [context.work, out]);
    await check(out);
  });

/** Builds the images of the Dockerfile, unless the cache has those of the same sources. Returns the folder of the archives. */
export const provideImages = async (context) =>
  fillOnce(openImageFolder(), async (out) => runInOverlay(context, "build-images.js", [context.work, out]));

/** Packs the programs of the cluster into images, unless the cache has them. Returns the folder of the archives. */
export const provideSupportImages = async (context, programs) =>
  fillOnce(openCacheFolder("support-images", [programs]), async (out) =>
    runInOverlay(context, "build-support-images.js", [context.work, out, programs]),
  );

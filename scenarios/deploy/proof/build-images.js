/**
 * `node build-images.js WORK OUT`: builds the images of the Dockerfile with buildah in the folder WORK, and writes them to OUT, each
 * as an archive of the Open Container Initiative, not compressed. Runs inside `overlay-root.sh`.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { listBaseImages, provideBaseImages, writeBuildSettings } from "./base-images.js";
import { createBuildah } from "./buildah.js";
import { imageNames } from "./image-names.js";

const [work, out] = process.argv.slice(2);
const root = fileURLToPath(new URL("../../../", import.meta.url));
const dockerfile = join(root, "scenarios/deploy/Dockerfile");
const buildah = createBuildah(work);
const print = (line) => process.stdout.write(`${line}\n`);
for (const line of provideBaseImages(listBaseImages(readFileSync(dockerfile, "utf8")), { buildah, work })) {
  print(line);
}
const mounts = writeBuildSettings(work).flatMap((mount) => ["--volume", mount]);
for (const [target, name] of Object.entries(imageNames)) {
  const startedAt = Date.now();
  const ignored = ["--ignorefile", `${dockerfile}.dockerignore`];
  const build = ["build", "--layers", "--pull-never", ...mounts, ...ignored, "--file", dockerfile];
  buildah([...build, "--target", target, "--tag", name, root]);
  buildah(["push", "--disable-compression", name, `oci-archive:${join(out, `${target}.tar`)}:${name}`]);
  print(`built ${target} in ${Math.round((Date.now() - startedAt) / 1000)} s`);
}

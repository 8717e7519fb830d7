/**
 * `node copy-archives.js OUT FOLDER...`: copies each archive that an initializer writes below the folders, which are those of kubelets, to
 * OUT, because a kubelet deletes the volumes of a pod when it ends. Runs until it is killed, as a process of its own.
 */
import { copyFileSync, existsSync, readdirSync } from "node:fs";
import { join } from "node:path";

const pollMs = 50;
const [out, ...folders] = process.argv.slice(2);

/** Lists a folder that may be deleted meanwhile. */
function list(folder) {
  try {
    return readdirSync(folder).map((name) => join(folder, name));
  } catch {
    return [];
  }
}

function copyAll() {
  const volumes = folders.flatMap(list).flatMap((pod) => list(join(pod, "volumes/kubernetes.io~empty-dir")));
  for (const archive of volumes.flatMap(list).filter((path) => path.endsWith(".tar"))) {
    const copy = join(out, archive.replaceAll("/", "_"));
    // The last copy has everything: an archive is written in parts.
    if (existsSync(archive)) {
      copyFileSync(archive, copy);
    }
  }
}

setInterval(() => {
  try {
    copyAll();
  } catch {
    // The pod ended between the two calls.
  }
}, pollMs);

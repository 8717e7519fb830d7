import { cpSync, existsSync, lstatSync, mkdirSync, readdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { openCacheFolder } from "./cache-folder.js";
import { runProgram } from "./run-program.js";

const packageNames = [
  "buildah",
  "busybox-static",
  "containerd",
  "containernetworking-plugins",
  "debootstrap",
  "nftables",
  "runc",
];

/** A release of Debian has `bin` and so on as links into `usr`. A folder of that name in an overlay would hide the link. */
const mergedFolders = ["bin", "sbin", "lib", "lib64"];

/** Lists the packages that apt would install for the proofs, as `name=version`. Needs no rights and changes nothing. */
function listMissingPackages() {
  const plan = runProgram("apt-get", ["install", "--simulate", "--no-install-recommends", ...packageNames]);
  return [...plan.matchAll(/^Inst (\S+) (?:\[\S+\] )?\((\S+)/gmu)].map(([, name, version]) => `${name}=${version}`);
}

function moveIntoUsr(root) {
  for (const name of mergedFolders) {
    const folder = join(root, name);
    if (existsSync(folder) && lstatSync(folder).isDirectory()) {
      cpSync(folder, join(root, "usr", name), { recursive: true, verbatimSymlinks: true });
      rmSync(folder, { recursive: true });
    }
  }
}

/**
 * Downloads the Debian packages of the proofs and those that they need, and extracts them into a folder of the cache, which it returns. Nothing is
 * installed: `overlay-root.sh` shows the files at their places to one program. Packages that are installed are left out.
 */
export function extractPackages() {
  const packages = listMissingPackages();
  const folder = openCacheFolder("tools", packages);
  const root = join(folder, "root");
  if (!existsSync(root)) {
    const downloads = join(folder, "downloads");
    const unfinished = join(folder, "unfinished");
    rmSync(unfinished, { recursive: true, force: true });
    mkdirSync(downloads, { recursive: true });
    mkdirSync(join(unfinished, "usr"), { recursive: true });
    if (packages.length > 0) {
      runProgram("apt-get", ["download", ...packages], { cwd: downloads });
    }
    for (const file of readdirSync(downloads)) {
      runProgram("dpkg-deb", ["-x", join(downloads, file), unfinished]);
    }
    moveIntoUsr(unfinished);
    renameSync(unfinished, root);
  }
  return root;
}

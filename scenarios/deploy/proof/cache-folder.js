import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";

/**
 * The folder for what the proofs build and download, outside the tree: `$XDG_CACHE_HOME/assay-cluster`, or
 * `~/.cache/assay-cluster`. Nothing in it is needed later; delete it to build again.
 */
export const cacheFolder = join(process.env.XDG_CACHE_HOME || join(homedir(), ".cache"), "assay-cluster");

const digestLength = 16;

/**
 * Creates a folder of the cache whose name follows from what its content depends on, and returns its path. `inputs` are
 * texts, and paths as URLs, whose content counts. Deletes folders of the same kind with another content.
 */
export function openCacheFolder(kind, inputs) {
  const hash = createHash("sha256");
  for (const input of inputs) {
    hash.update(input instanceof URL ? readFileSync(input) : input);
    hash.update("\0");
  }
  const name = `${kind}-${hash.digest("hex").slice(0, digestLength)}`;
  const folder = join(cacheFolder, name);
  mkdirSync(folder, { recursive: true });
  for (const other of readdirSync(cacheFolder)) {
    if (other !== name && other.slice(0, -digestLength - 1) === kind) {
      rmSync(join(cacheFolder, other), { recursive: true });
    }
  }
  return folder;
}

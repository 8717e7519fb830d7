import { Buffer } from "node:buffer";
import { type Dirent } from "node:fs";
import { open, readdir } from "node:fs/promises";
import { join, relative } from "node:path";
import { toEvidenceError } from "./evidence-error.ts";
import { createAllSecretPatterns, type Secret, type SecretPatterns } from "./secret-patterns.ts";

/** A place where a secret, or an encoding of it, stands in a file or in its name. */
export interface SecretHit {
  /** Path relative to the scanned folder. */
  readonly file: string;
  /** Name of the secret, never its value. */
  readonly secret: string;
  readonly where: "content" | "name";
  /** Offset of the first byte in the content or in the name; from 0. */
  readonly offset: number;
}

interface Place {
  readonly path: string;
  /** The path relative to the scanned folder. */
  readonly file: string;
}

const windowBytes = 4 * 1024 * 1024;

/** First match of each secret in a text whose characters are bytes. */
const firstMatches = (text: string, all: readonly SecretPatterns[]): readonly (readonly [name: string, at: number])[] =>
  all.flatMap(({ secret, patterns }) => {
    const places = patterns
      .filter(({ mayOccur }) => mayOccur(text))
      .map(({ expression }) => text.search(expression))
      .filter((at) => at >= 0);
    return places.length === 0 ? [] : [[secret.name, Math.min(...places)] as const];
  });

async function scanContent({ path, file }: Place, all: readonly SecretPatterns[]): Promise<readonly SecretHit[]> {
  const overlap = Math.max(0, ...all.map(({ maxMatchBytes }) => maxMatchBytes));
  const buffer = Buffer.alloc(windowBytes + overlap);
  const found = new Map<string, number>();
  const handle = await open(path, "r");
  try {
    for (let at = 0; ; at += windowBytes) {
      const { bytesRead } = await handle.read(buffer, 0, buffer.length, at);
      for (const [name, offset] of firstMatches(buffer.toString("latin1", 0, bytesRead), all)) {
        found.set(name, found.get(name) ?? at + offset);
      }
      if (bytesRead <= windowBytes) {
        return Array.from(found, ([secret, offset]) => ({ file, secret, offset, where: "content" as const }));
      }
    }
  } finally {
    await handle.close();
  }
}

async function scanEntry(place: Place, entry: Dirent, all: readonly SecretPatterns[]): Promise<readonly SecretHit[]> {
  const inName = firstMatches(Buffer.from(entry.name, "utf8").toString("latin1"), all).map(([secret, offset]) => ({
    file: place.file,
    secret,
    offset,
    where: "name" as const,
  }));
  return entry.isFile() ? [...inName, ...(await scanContent(place, all))] : inName;
}

/**
 * Looks for known secrets, in every encoding that the redactor knows, in the name and the content of each file below a
 * folder; gives the first place per secret and file. Symbolic links are not followed. Fails when a file cannot be read:
 * what was not looked at is not clean.
 */
export async function scanForSecrets(directory: string, secrets: readonly Secret[]): Promise<readonly SecretHit[]> {
  const all = createAllSecretPatterns(secrets);
  const hits: SecretHit[] = [];
  const scanFolder = async (folder: string): Promise<void> => {
    const entries = (await readdir(folder, { withFileTypes: true })).toSorted((a, b) => (a.name < b.name ? -1 : 1));
    for (const entry of entries) {
      const path = join(folder, entry.name);
      const file = relative(directory, path);
      hits.push(...(await scanEntry({ path, file }, entry, all)));
      if (entry.isDirectory()) {
        await scanFolder(path);
      }
    }
  };
  try {
    await scanFolder(directory);
  } catch (cause) {
    throw toEvidenceError(cause, "look for secrets in the written files");
  }
  return hits;
}

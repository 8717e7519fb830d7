import { Buffer } from "node:buffer";
import { type Dirent } from "node:fs";
import { type FileHandle, open, readdir } from "node:fs/promises";
import { join, relative } from "node:path";
import { toEvidenceError } from "../evidence-error.ts";
import type { Secret } from "./secret-patterns.ts";
import { createSecretsFinder, type SecretsFinder } from "./secrets-finder.ts";

/** An occurrence of a secret, or of an encoding of it, in a file or its name. */
export interface SecretHit {
  /** Path relative to the scanned folder. */
  readonly file: string;
  /** Name of the secret, never its value. */
  readonly secret: string;
  readonly where: "content" | "name";
  /** Offset of the first byte in the content or in the name, from 0. */
  readonly offset: number;
}

interface FileLocation {
  readonly path: string;
  /** Path relative to the scanned folder. */
  readonly file: string;
}

const windowBytes = 1024 * 1024;

/** Clean files by path relative to the scanned folder, with a fingerprint of their state when scanned. */
export type CleanFiles = Map<string, string>;

/** Options of a scan. */
export interface ScanOptions {
  /** Files to skip while they are unchanged. Clean files are added. */
  readonly clean?: CleanFiles;
  /** Aborts the scan, which then throws the reason. */
  readonly signal?: AbortSignal;
}

/** A scan in progress. */
interface Scan extends ScanOptions {
  readonly finder: SecretsFinder;
  /** Holds a part of the file that is being scanned. */
  readonly buffer: Buffer;
}

/** Returns the first occurrence of each secret in an open file. */
async function findFirstOffsets(
  handle: FileHandle,
  { finder, buffer, signal }: Scan,
): Promise<ReadonlyMap<string, number>> {
  const firstOffsets = new Map<string, number>();
  for (let at = 0; ; at += windowBytes) {
    signal?.throwIfAborted();
    const { bytesRead } = await handle.read(buffer, 0, buffer.length, at);
    for (const [name, offset] of finder.find(buffer.toString("latin1", 0, bytesRead))) {
      firstOffsets.set(name, firstOffsets.get(name) ?? at + offset);
    }
    if (bytesRead <= windowBytes) {
      return firstOffsets;
    }
  }
}

async function scanContent({ path, file }: FileLocation, scan: Scan): Promise<readonly SecretHit[]> {
  const handle = await open(path, "r");
  try {
    const { ino, mtimeNs, size } = await handle.stat({ bigint: true });
    const fingerprint = `${ino} ${mtimeNs} ${size}`;
    if (scan.clean?.get(file) === fingerprint) {
      return [];
    }
    const offsets = await findFirstOffsets(handle, scan);
    if (offsets.size === 0) {
      scan.clean?.set(file, fingerprint);
    }
    return Array.from(offsets, ([secret, offset]) => ({ file, secret, offset, where: "content" as const }));
  } finally {
    await handle.close();
  }
}

async function scanEntry(location: FileLocation, entry: Dirent, scan: Scan): Promise<readonly SecretHit[]> {
  const offsets = scan.finder.find(Buffer.from(entry.name, "utf8").toString("latin1"));
  const nameHits = Array.from(offsets, ([secret, offset]) => ({
    file: location.file,
    secret,
    offset,
    where: "name" as const,
  }));
  return entry.isFile() ? [...nameHits, ...(await scanContent(location, scan))] : nameHits;
}

/**
 * Scans the name and content of each file below a folder for known secrets and for text that decodes to them. Shares no code
 * with the redactor. Returns the first occurrence per secret and file. Does not follow symbolic links. Throws if a file
 * cannot be read, because an unread file is not known to be clean.
 */
export async function scanForSecrets(
  directory: string,
  secrets: readonly Secret[],
  options: ScanOptions = {},
): Promise<readonly SecretHit[]> {
  const finder = createSecretsFinder(secrets);
  const scan: Scan = { ...options, finder, buffer: Buffer.alloc(windowBytes + finder.reachBytes) };
  const hits: SecretHit[] = [];
  const scanFolder = async (folder: string): Promise<void> => {
    const entries = (await readdir(folder, { withFileTypes: true })).toSorted((a, b) => (a.name < b.name ? -1 : 1));
    for (const entry of entries) {
      const path = join(folder, entry.name);
      const file = relative(directory, path);
      hits.push(...(await scanEntry({ path, file }, entry, scan)));
      if (entry.isDirectory()) {
        await scanFolder(path);
      }
    }
  };
  try {
    await scanFolder(directory);
  } catch (cause) {
    options.signal?.throwIfAborted();
    throw toEvidenceError(cause, "look for secrets in the written files");
  }
  return hits;
}

import type { HarnessErrorCode } from "@assay/contract";
import { access, open, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { credentialKinds, makeFolder } from "@assay/evidence";
import type { CredentialKind } from "@assay/evidence";
import { conversationInterfaces } from "./dialect.ts";
import type { ConversationInterface } from "./dialect.ts";
import { HarnessError, isHarnessError } from "@assay/contract";
import { member } from "@assay/reading";

/** File name of the ledger. */
export const ledgerFile = "ledger.ndjson";

/** One creation and its outcome. */
export interface LedgerEntry {
  /** Unique in the ledger. */
  readonly key: string;
  /** Id of the run that created it; part of its question. */
  readonly marker: string;
  readonly interface: ConversationInterface;
  /** The kind of credential; never a token. */
  readonly credential: CredentialKind;
  /** Wall clock before the call, ISO 8601 UTC. */
  readonly at: string;
  /** Id or name. Absent if no answer had one. */
  readonly id?: string;
  /** `open`: it may exist. `nothing`: the creation was refused or never sent. `deleted`: it was deleted. */
  readonly state: "open" | "nothing" | "deleted";
}

/** Records on disk what a run creates, before each creation. Fails with a `HarnessError` about the disk. */
export interface Ledger {
  /** Call it before a creation. Returns the key of the new entry. */
  recordIntent(creation: Pick<LedgerEntry, "marker" | "interface" | "credential">): Promise<string>;
  /** Call it after a creation that succeeded. */
  recordCreated(key: string, id: string): Promise<void>;
  /** Call it after a creation that created nothing. */
  recordNothing(key: string): Promise<void>;
  recordDeleted(key: string): Promise<void>;
  entries(): readonly LedgerEntry[];
  close(): Promise<void>;
}

export interface LedgerOptions {
  /** Replaces secrets. An id with a secret is kept only in memory. Default: no secrets. */
  readonly redact?: (text: string) => string;
  /** Wall clock in milliseconds. Default: `Date.now`. */
  readonly nowMs?: () => number;
}

const maxLedgerBytes = 16 * 1024 * 1024;
const maxIdLength = 300;

type Fields = Readonly<Record<string, string>>;

const isOneOf = <T extends string>(value: unknown, list: readonly T[]): value is T =>
  list.some((entry) => entry === value);

/** Reports whether a text is safe to show and send. A ledger file may have been edited by anyone. */
const isPlainText = (value: unknown): value is string =>
  typeof value === "string" && value.length <= maxIdLength && /^[\x21-\x7e]+$/u.test(value);

/** Reports whether a value is a run id, which is long enough that no ordinary text contains it by chance. */
const isMarker = (value: unknown): value is string => typeof value === "string" && /^[\w.-]{8,100}$/u.test(value);

function parseIntent(line: unknown, key: string): LedgerEntry | undefined {
  const marker = member(line, "marker");
  const name = member(line, "interface");
  const credential = member(line, "credential");
  const at = member(line, "at");
  return isMarker(marker) &&
    isOneOf(name, conversationInterfaces) &&
    isOneOf(credential, credentialKinds) &&
    isPlainText(at)
    ? { key, marker, interface: name, credential, at, state: "open" }
    : undefined;
}

const isValidId = ({ interface: name }: LedgerEntry, id: unknown): id is string =>
  isPlainText(id) && (name === "current" || /^\d{1,16}$/u.test(id));

/** Returns the entry after a line, or undefined for an unknown line. */
function applyLine(previous: LedgerEntry | undefined, line: unknown, key: string): LedgerEntry | undefined {
  const event = member(line, "event");
  const id = member(line, "id");
  if (previous === undefined) {
    return event === "intent" ? parseIntent(line, key) : undefined;
  }
  if (event === "nothing" || event === "deleted") {
    return { ...previous, state: event };
  }
  return event === "made" && isValidId(previous, id) ? { ...previous, id } : undefined;
}

function applyEvent(entries: Map<string, LedgerEntry>, line: unknown): void {
  const key = member(line, "key");
  const entry = isPlainText(key) ? applyLine(entries.get(key), line, key) : undefined;
  if (entry !== undefined) {
    entries.set(entry.key, entry);
  }
}

function parseLine(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    // A killed process may leave half a line.
    return undefined;
  }
}

async function readEntries(path: string): Promise<Map<string, LedgerEntry>> {
  if ((await stat(path)).size > maxLedgerBytes) {
    throw new HarnessError(
      "too-large",
      `${path} is larger than ${maxLedgerBytes} bytes, so it is not the ledger of a run`,
    );
  }
  const entries = new Map<string, LedgerEntry>();
  for (const line of (await readFile(path, "utf8")).split("\n")) {
    applyEvent(entries, parseLine(line));
  }
  return entries;
}

const errorCode = (cause: unknown): string =>
  cause instanceof Error && "code" in cause && typeof cause.code === "string" ? cause.code : "";

const diskCodes: Readonly<Record<string, readonly [code: HarnessErrorCode, clause: string]>> = {
  ENOSPC: ["disk-full", "the disk is full; free some space"],
  EDQUOT: ["disk-full", "the disk quota is used up; free some space"],
  EACCES: ["not-writable", "permission was denied; choose a folder that can be written"],
  EPERM: ["not-writable", "the operation is not permitted; choose a folder that can be written"],
  EROFS: ["not-writable", "the file system is read-only; choose another folder"],
  ENOENT: ["folder-removed", "it was removed; do not remove it while a run writes to it"],
};

/** Runs a disk operation. Errors become a `HarnessError` with the matching code. */
async function runOnDisk<Result>(path: string, task: () => Promise<Result>): Promise<Result> {
  try {
    return await task();
  } catch (cause) {
    if (isHarnessError(cause)) {
      throw cause;
    }
    const systemCode = errorCode(cause);
    const [code, clause] = diskCodes[systemCode] ?? ["disk-failed", systemCode || "unknown system error"];
    throw new HarnessError(code, `the ledger ${path} cannot be used: ${clause}`, { cause });
  }
}

const isMissing = (cause: unknown): boolean => ["ENOENT", "ENOTDIR"].includes(errorCode(cause));

/**
 * Returns the entries of the ledger in a folder, in the order of creation. Returns undefined if there is no ledger. Unknown lines, such as
 * half a line at the end, are ignored. Fails with a `HarnessError`: `too-large`, or about the disk.
 */
export async function readLedger(folder: string): Promise<readonly LedgerEntry[] | undefined> {
  const path = join(folder, ledgerFile);
  return runOnDisk(path, async () => {
    const exists = await access(path).then(
      () => true,
      (cause: unknown) => !isMissing(cause),
    );
    return exists ? [...(await readEntries(path)).values()] : undefined;
  });
}

async function openFile(folder: string, path: string) {
  await makeFolder(folder);
  const handle = await open(path, "a", 0o600);
  return { handle, entries: await readEntries(path), isEmpty: (await handle.stat()).size === 0 };
}

/**
 * Opens the ledger of a folder, which is created if missing; existing entries are kept. Each line is on disk when its call returns.
 * Only its owner can read the file.
 */
export async function openLedger(
  folder: string,
  { redact = (text) => text, nowMs = Date.now }: LedgerOptions = {},
): Promise<Ledger> {
  const path = join(folder, ledgerFile);
  const { handle, entries, isEmpty } = await runOnDisk(path, () => openFile(folder, path));
  const write = async (text: string): Promise<void> => {
    // Writing to a removed file succeeds, but the entry would be lost. Check first.
    await access(path);
    await handle.appendFile(text);
    await handle.datasync();
  };
  let lastWrite: Promise<unknown> = Promise.resolve();
  const append = (text: string): Promise<void> => {
    const pendingWrite = lastWrite.then(() => runOnDisk(path, () => write(text)));
    lastWrite = pendingWrite.catch(() => undefined);
    return pendingWrite;
  };
  const appendEvent = (fields: Fields): Promise<void> => {
    applyEvent(entries, fields);
    const { id, ...withoutId } = fields;
    return append(`${JSON.stringify(id === undefined || redact(id) === id ? fields : withoutId)}\n`);
  };
  // Half a line left by a killed process must not merge with the next one.
  await append(isEmpty ? "" : "\n");
  const findFreeKey = (number = entries.size + 1): string =>
    entries.has(String(number)) ? findFreeKey(number + 1) : String(number);
  return {
    async recordIntent(creation) {
      if (!isMarker(creation.marker)) {
        throw new Error(
          "the marker of a run must be a word of 8 to 100 characters, otherwise its conversations cannot be found",
        );
      }
      const key = findFreeKey();
      await appendEvent({ event: "intent", key, at: new Date(nowMs()).toISOString(), ...creation });
      return key;
    },
    recordCreated: (key, id) => appendEvent({ event: "made", key, id }),
    recordNothing: (key) => appendEvent({ event: "nothing", key }),
    recordDeleted: (key) => appendEvent({ event: "deleted", key }),
    entries: () => [...entries.values()],
    async close() {
      await lastWrite;
      await handle.close();
    },
  };
}

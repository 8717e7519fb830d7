import { HarnessError, defined } from "@assay/contract";
import { Buffer } from "node:buffer";
import { createHash, type Hash } from "node:crypto";
import { type FileHandle, access, mkdir, open, readdir, rename } from "node:fs/promises";
import { join } from "node:path";
import { bundleFiles, type Footer, type Manifest } from "./bundle-files.ts";
import { type BundleLimits, bundleLimits } from "./bundle-limits.ts";
import { toEvidenceError } from "../evidence-error.ts";
import type { Chunk, ExchangeDraft, ExchangeRecord } from "../exchange.ts";
import { makeFolder } from "./make-folder.ts";
import { isExchangeRecord, lacksResponse } from "./record-shape.ts";
import { recordDraft, type RecordedExchange } from "../recorded-exchange.ts";
import type { Redactor } from "../redaction/redactor.ts";
import { writeAtomically } from "./write-atomically.ts";

/** The parts of a footer that are known only at the end of a run. */
export type FooterInfo = Pick<Footer, "ended" | "cause" | "reason" | "left" | "unsent">;

/** Writes one bundle. Concurrent calls run one after the other, in order. */
export interface BundleWriter {
  /**
   * Redacts an exchange, stores its body under its digest, then appends one line. Both survive the death of this process when it
   * returns, and a crash of the machine soon after, because files are synced together. Throws `duplicate-exchange` for a repeated id,
   * `too-large` if no reader would accept the record, `writer-closed` after `close`, or a disk error code. After a disk error every later
   * call throws the same error. It does not retry.
   */
  writeExchange(draft: ExchangeDraft): Promise<ExchangeRecord>;
  /** Syncs all files and writes the footer, after all pending exchanges. */
  close(info: FooterInfo): Promise<Footer>;
}

export interface BundleWriterOptions {
  /** Created with its parents. Throws `folder-not-empty` if it is not empty. */
  readonly directory: string;
  readonly manifest: Manifest;
  readonly redactor: Redactor;
  /** Limits beyond which it throws `too-large`. Default: the limits of the reader. */
  readonly limits?: Partial<Pick<BundleLimits, "maxExchangesBytes" | "maxLineBytes">>;
}

// Evidence is confidential: only the owner may read it.
const fileMode = 0o600;
const folderMode = 0o700;

/** Open files and counts of a bundle being written. */
interface State {
  readonly directory: string;
  readonly redactor: Redactor;
  readonly limits: Pick<BundleLimits, "maxExchangesBytes" | "maxLineBytes">;
  readonly manifestSha256: string;
  readonly linesFile: FileHandle;
  readonly digest: Hash;
  readonly ids: Set<string>;
  readonly bodies: Set<string>;
  /** Digests of the bodies that are not synced yet. */
  unsyncedBodies: string[];
  /** Set while a sync is due. */
  syncTimer?: NodeJS.Timeout;
  /** The running or last sync. */
  sync: Promise<unknown>;
  lineBytes: number;
  isClosed: boolean;
  failure?: HarnessError;
}

const getLinesPath = (directory: string): string => join(directory, bundleFiles.exchanges);

async function prepareFolder(directory: string): Promise<void> {
  await makeFolder(directory, folderMode);
  if ((await readdir(directory)).length > 0) {
    throw new HarnessError("folder-not-empty", `the folder ${directory} is not empty; choose a new one for each run`);
  }
  await mkdir(join(directory, bundleFiles.bodies), { mode: folderMode });
}

/** Redacts values from outside. Assay's own words are kept, even if one happens to equal a secret. */
const redactManifest = (manifest: Manifest, redactor: Redactor): Manifest => ({
  ...manifest,
  target: { ...manifest.target, url: redactor.text(manifest.target.url) },
  ...(manifest.knownFailures === undefined
    ? {}
    : {
        knownFailures: manifest.knownFailures.map((file) => ({
          ...file,
          source: redactor.text(file.source),
          text: redactor.text(file.text),
        })),
      }),
  ...(manifest.notes === undefined ? {} : { notes: manifest.notes.map((note) => redactor.text(note)) }),
});

async function openBundle({ directory, manifest, redactor, limits }: BundleWriterOptions): Promise<State> {
  await prepareFolder(directory);
  const text = `${JSON.stringify(redactManifest(manifest, redactor), null, 2)}\n`;
  await writeAtomically(join(directory, bundleFiles.manifest), text);
  const linesFile = await open(getLinesPath(directory), "ax", fileMode);
  return {
    directory,
    redactor,
    limits: { ...bundleLimits, ...limits },
    manifestSha256: createHash("sha256").update(text).digest("hex"),
    linesFile,
    digest: createHash("sha256"),
    ids: new Set(),
    bodies: new Set(),
    unsyncedBodies: [],
    sync: Promise.resolve(),
    lineBytes: 0,
    isClosed: false,
  };
}

const minWriteBytes = 1024 * 1024;

/** Yields the bytes of chunks, combined into pieces large enough for a system call. */
function* combineChunks(chunks: Iterable<Chunk>): Generator<Uint8Array> {
  let parts: Uint8Array[] = [];
  let length = 0;
  for (const { bytes } of chunks) {
    parts.push(bytes);
    length += bytes.length;
    if (length >= minWriteBytes) {
      yield Buffer.concat(parts);
      parts = [];
      length = 0;
    }
  }
  yield Buffer.concat(parts);
}

/** Stores a body. Writes to a temporary name first, so that a file in `bodies/` named by a digest is always complete. */
async function storeBody(state: State, sha256: string, chunks: Iterable<Chunk>): Promise<void> {
  const { directory, bodies } = state;
  if (bodies.has(sha256)) {
    return;
  }
  const path = join(directory, bundleFiles.bodies, sha256);
  const temporaryPath = `${path}.tmp`;
  const handle = await open(temporaryPath, "wx", fileMode);
  try {
    for (const bytes of combineChunks(chunks)) {
      await handle.writeFile(bytes);
    }
  } finally {
    await handle.close();
  }
  await rename(temporaryPath, path);
  bodies.add(sha256);
  state.unsyncedBodies.push(sha256);
}

async function appendLine(state: State, line: Buffer): Promise<void> {
  // Writing to a deleted file succeeds and loses the evidence, so check first.
  await access(getLinesPath(state.directory));
  await state.linesFile.writeFile(line);
  state.digest.update(line);
  state.lineBytes += line.length;
}

const syncDelayMs = 200;

/** Syncs the bodies and lines that were written since the last call. */
async function syncFiles(state: State): Promise<void> {
  const { directory, linesFile, unsyncedBodies } = state;
  state.unsyncedBodies = [];
  for (const sha256 of unsyncedBodies) {
    const handle = await open(join(directory, bundleFiles.bodies, sha256), "r+");
    try {
      await handle.sync();
    } finally {
      await handle.close();
    }
  }
  await linesFile.datasync();
}

/** Syncs soon. Syncing each exchange by itself would take longer than the exchange. */
function scheduleSync(state: State): void {
  state.syncTimer ??= setTimeout(() => {
    delete state.syncTimer;
    state.sync = state.sync.then(() => syncFiles(state)).catch((cause: unknown) => closeAfterFailure(state, cause));
  }, syncDelayMs).unref();
}

/** Ends scheduled syncs, then syncs the rest. */
async function syncRest(state: State): Promise<void> {
  clearTimeout(state.syncTimer);
  await state.sync;
  assertIntact(state);
  await syncFiles(state);
}

/** An exchange ready to be written. */
interface PreparedExchange extends Pick<RecordedExchange, "record" | "chunks"> {
  readonly line: Buffer;
}

function prepareExchange({ redactor, limits, lineBytes }: State, draft: ExchangeDraft): PreparedExchange {
  const { record, chunks } = recordDraft(redactor.draft(draft));
  if (!isExchangeRecord(record) || lacksResponse(record)) {
    throw new Error(`the record of the exchange ${draft.id} is invalid`);
  }
  const line = Buffer.from(`${JSON.stringify(record)}\n`, "utf8");
  if (line.length > limits.maxLineBytes || lineBytes + line.length > limits.maxExchangesBytes) {
    throw new HarnessError(
      "too-large",
      `the record of the exchange ${draft.id} is ${line.length} bytes, in addition to ${lineBytes} bytes of others; a bundle with it would be unreadable`,
    );
  }
  return { record, chunks, line };
}

async function storeExchange(state: State, { record, chunks, line }: PreparedExchange): Promise<ExchangeRecord> {
  const body = record.response?.body;
  if (body !== undefined) {
    await storeBody(state, body.sha256, body.bytes === 0 ? [] : chunks());
  }
  await appendLine(state, line);
  scheduleSync(state);
  return record;
}

async function writeFooter(state: State, info: FooterInfo): Promise<Footer> {
  await syncRest(state);
  await state.linesFile.close();
  await access(getLinesPath(state.directory));
  const footer: Footer = {
    exchanges: state.ids.size,
    bodies: state.bodies.size,
    exchangesSha256: state.digest.digest("hex"),
    manifestSha256: state.manifestSha256,
    ended: info.ended,
    ...defined({ cause: info.cause }),
    ...(info.reason === undefined ? {} : { reason: state.redactor.text(info.reason) }),
    ...(info.left === undefined ? {} : { left: state.redactor.text(info.left) }),
    ...(info.unsent === undefined
      ? {}
      : { unsent: info.unsent.map((probe) => ({ ...probe, reason: state.redactor.text(probe.reason) })) }),
  };
  const path = join(state.directory, bundleFiles.footer);
  await writeAtomically(path, `${JSON.stringify(footer, null, 2)}\n`);
  return footer;
}

function assertIntact({ failure }: State): void {
  if (failure !== undefined) {
    throw failure;
  }
}

function assertOpen(state: State): void {
  assertIntact(state);
  if (state.isClosed) {
    throw new HarnessError("writer-closed", `the bundle ${state.directory} is closed and cannot be changed`);
  }
}

/** Runs tasks one after the other. A failed task does not affect the next one. */
function createQueue(): <T>(task: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (task) => {
    const result = last.then(task);
    last = result.catch(() => undefined);
    return result;
  };
}

async function closeAfterFailure(state: State, cause: unknown): Promise<HarnessError> {
  // After the first error, a sync that is running fails too.
  const failure = (state.failure ??= toEvidenceError(cause, `write the bundle ${state.directory}`));
  await state.linesFile.close().catch(() => undefined);
  return failure;
}

/**
 * Starts a bundle: creates the folder, then writes the manifest, before the first exchange. If the process is killed at any time, all
 * complete lines are valid and have their bodies. Throws a `HarnessError`.
 */
export async function createBundleWriter(options: BundleWriterOptions): Promise<BundleWriter> {
  const state = await openBundle(options).catch((cause: unknown) => {
    throw toEvidenceError(cause, `write into the folder ${options.directory}`);
  });
  const queue = createQueue();
  const closeOnFailure = async <T>(task: () => Promise<T>): Promise<T> => {
    assertOpen(state);
    try {
      return await task();
    } catch (cause) {
      throw await closeAfterFailure(state, cause);
    }
  };
  return {
    writeExchange(draft) {
      return queue(async () => {
        assertOpen(state);
        if (state.ids.has(draft.id)) {
          throw new HarnessError(
            "duplicate-exchange",
            `the exchange ${draft.id} was already written; use a unique id for each`,
          );
        }
        const prepared = prepareExchange(state, draft);
        state.ids.add(draft.id);
        return closeOnFailure(() => storeExchange(state, prepared));
      });
    },
    close(info) {
      return queue(() =>
        closeOnFailure(() => {
          state.isClosed = true;
          return writeFooter(state, info);
        }),
      );
    },
  };
}

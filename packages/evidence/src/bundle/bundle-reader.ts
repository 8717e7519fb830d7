import { HarnessError } from "@assay/contract";
import { isRecord } from "@assay/reading";
import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import { join } from "node:path";
import { closeSync, constants, fstatSync, lstatSync, openSync, readSync } from "node:fs";
import { bundleFiles } from "./bundle-files.ts";
import type { Footer, Manifest } from "./bundle-files.ts";
import type { BundleLimits } from "./bundle-limits.ts";
import { bundleLimits } from "./bundle-limits.ts";
import { toEvidenceError } from "../evidence-error.ts";
import type { BodyRecord, Chunk, ExchangeRecord } from "../exchange.ts";
import { footerChecker, manifestChecker } from "./record-checkers.ts";
import { isExchangeRecord, lacksResponse, parseJson } from "./record-shape.ts";
import type { RecordedExchange } from "../recorded-exchange.ts";
import { undecodedReason, withoutBody } from "../recorded-exchange.ts";

/** A regular file, open for reading. */
interface PlainFile {
  readonly bytes: number;
  /** Reads up to `length` bytes from `offset`, fewer at the end of the file. Default for `buffer`: a new one. */
  read(offset: number, length: number, buffer?: Buffer): Uint8Array;
}

function readUpTo(descriptor: number, offset: number, buffer: Buffer): Uint8Array {
  let totalRead = 0;
  while (totalRead < buffer.length) {
    const count = readSync(descriptor, buffer, totalRead, buffer.length - totalRead, offset + totalRead);
    if (count === 0) {
      break;
    }
    totalRead += count;
  }
  return buffer.subarray(0, totalRead);
}

/** Opens a file without following links or waiting for a named pipe. Returns the descriptor or undefined. */
function openPlainFile(path: string): number | undefined {
  if (!(lstatSync(path, { throwIfNoEntry: false })?.isFile() ?? false)) {
    return undefined;
  }
  // Windows has neither flag.
  const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
  return openSync(path, flags);
}

/**
 * Opens a file of a bundle of unknown origin. Does not open symbolic links, folders and devices. Returns undefined if there is no such
 * regular file. Throws system errors while reading.
 */
function withPlainFile<T>(path: string, use: (file: PlainFile) => T): T | undefined {
  const descriptor = openPlainFile(path);
  if (descriptor === undefined) {
    return undefined;
  }
  try {
    const status = fstatSync(descriptor);
    const read: PlainFile["read"] = (offset, length, buffer) => {
      const available = Math.max(0, Math.min(length, status.size - offset));
      return readUpTo(descriptor, offset, buffer?.subarray(0, available) ?? Buffer.allocUnsafe(available));
    };
    return status.isFile() ? use({ bytes: status.size, read }) : undefined;
  } finally {
    closeSync(descriptor);
  }
}

/** Returns the SHA-256 of a file in lower-case hex. Reads in pieces. */
function hashFile(file: PlainFile): string {
  const digest = createHash("sha256");
  const buffer = Buffer.allocUnsafe(Math.min(file.bytes, pieceBytes));
  for (let at = 0; at < file.bytes; at += pieceBytes) {
    digest.update(file.read(at, pieceBytes, buffer));
  }
  return digest.digest("hex");
}

const isPlainFolder = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;

/** A bundle as found on disk. */
export interface Bundle {
  readonly manifest: Manifest;
  /** Absent if the run was killed before writing it. */
  readonly footer?: Footer;
  /** Set if the footer is present and matches the exchanges. Individual bodies may still be unreadable. */
  readonly isComplete: boolean;
  /** Problems of the bundle, as sentences. */
  readonly problems: readonly string[];
  readonly exchanges: readonly RecordedExchange[];
}

/** Returns the bytes of a regular file of the bundle, or undefined. Throws `too-large` beyond the limit. */
const readEntireFile = (path: string, maxBytes: number): Buffer | undefined =>
  withPlainFile(path, (file) => {
    if (file.bytes > maxBytes) {
      throw new HarnessError("too-large", `${path} is ${file.bytes} bytes, over the limit of ${maxBytes}`);
    }
    return Buffer.from(file.read(0, file.bytes));
  });

const hashBytes = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");

/** A manifest and the digest of its bytes. */
interface ManifestWithDigest {
  readonly manifest: Manifest;
  readonly sha256: string;
}

function readManifest(directory: string, limits: BundleLimits): ManifestWithDigest {
  const path = join(directory, bundleFiles.manifest);
  const bytes = readEntireFile(path, limits.maxDocumentBytes);
  if (bytes === undefined) {
    throw new HarnessError("not-a-bundle", `${path} is not a regular file; pass a run folder`);
  }
  const value = parseJson(bytes.toString("utf8"));
  if (isRecord(value) && value["schemaVersion"] !== undefined && value["schemaVersion"] !== 1) {
    throw new HarnessError(
      "unsupported-schema",
      `${path} is of another schema version than 1; read the bundle with the version of assay that wrote it`,
    );
  }
  if (!manifestChecker.fits(value)) {
    throw new HarnessError("not-a-bundle", `${path} is not the manifest of a run; pass a run folder`);
  }
  return { manifest: value, sha256: hashBytes(bytes) };
}

/** Contents of `exchanges.ndjson`. */
interface ParsedLines {
  readonly records: readonly ExchangeRecord[];
  readonly problems: readonly string[];
  readonly sha256: string;
}

/** Older runs identify a retry only by its id: the id of the first exchange plus this suffix. */
const retrySuffix = "-again";

const withRetry = (record: ExchangeRecord): ExchangeRecord =>
  record.retryOf === undefined && record.id.endsWith(retrySuffix)
    ? { ...record, retryOf: record.id.slice(0, -retrySuffix.length) }
    : record;

/** Parses the record in a line. Returns the problem as the end of a sentence if the line is invalid. */
function readLine(
  line: Buffer,
  earlierRecords: ReadonlyMap<string, unknown>,
  maxBytes: number,
): ExchangeRecord | string {
  if (line.length > maxBytes) {
    return `is ${line.length} bytes, over the limit of ${maxBytes}`;
  }
  const value = parseJson(line.toString("utf8"));
  if (!isExchangeRecord(value)) {
    return "is not an exchange";
  }
  if (lacksResponse(value)) {
    return `marks the exchange ${value.id} as complete, but it has no response`;
  }
  return earlierRecords.has(value.id) ? `repeats the id ${value.id}` : withRetry(value);
}

function readLines(directory: string, limits: BundleLimits): ParsedLines {
  const bytes = readEntireFile(join(directory, bundleFiles.exchanges), limits.maxExchangesBytes);
  if (bytes === undefined) {
    return { records: [], problems: [`${bundleFiles.exchanges} is missing`], sha256: "" };
  }
  const problems: string[] = [];
  const records = new Map<string, ExchangeRecord>();
  let line = 0;
  let start = 0;
  for (let end = bytes.indexOf(0x0a); end !== -1; start = end + 1, end = bytes.indexOf(0x0a, start)) {
    line++;
    const record = readLine(bytes.subarray(start, end), records, limits.maxLineBytes);
    if (typeof record === "string") {
      problems.push(`line ${line} of ${bundleFiles.exchanges} ${record}`);
    } else {
      records.set(record.id, record);
    }
  }
  if (start < bytes.length) {
    problems.push(`the last line of ${bundleFiles.exchanges} is incomplete and was skipped`);
  }
  return { records: [...records.values()], problems, sha256: hashBytes(bytes) };
}

function readFooter(directory: string, limits: BundleLimits): Footer | string {
  const bytes = readEntireFile(join(directory, bundleFiles.footer), limits.maxDocumentBytes);
  if (bytes === undefined) {
    return `${bundleFiles.footer} is missing: the run was cut short`;
  }
  const value = parseJson(bytes.toString("utf8"));
  return footerChecker.fits(value) ? value : `${bundleFiles.footer} is not the footer of a run`;
}

function findFooterProblems(footer: Footer, lines: ParsedLines, manifestSha256: string): readonly string[] {
  const bodies = new Set(lines.records.flatMap(({ response }) => response?.body.sha256 ?? [])).size;
  const differences = [
    (footer.manifestSha256 ?? manifestSha256) === manifestSha256
      ? ""
      : `the digest of ${bundleFiles.manifest} differs from the one in the footer`,
    footer.exchangesSha256 === lines.sha256
      ? ""
      : `the digest of ${bundleFiles.exchanges} differs from the one in the footer`,
    footer.exchanges === lines.records.length
      ? ""
      : `the footer lists ${footer.exchanges} exchanges, but ${lines.records.length} were found`,
    footer.bodies === bodies ? "" : `the footer lists ${footer.bodies} bodies, but the exchanges refer to ${bodies}`,
  ];
  return differences.filter((sentence) => sentence !== "");
}

/** Returns why a stored body cannot be judged, or undefined if it is intact. */
function checkBody(directory: string, { sha256, bytes }: BodyRecord): string | undefined {
  const state = withPlainFile(join(directory, bundleFiles.bodies, sha256), (file) =>
    file.bytes === bytes && hashFile(file) === sha256 ? "whole" : "damaged",
  );
  if (state === "whole") {
    return undefined;
  }
  return state === "damaged" ? `the body ${sha256} does not match its digest` : `the body ${sha256} is not stored`;
}

const pieceBytes = 1024 * 1024;

function readPiece(path: string, offset: number, length: number): Uint8Array {
  const bytes = withPlainFile(path, (file) => file.read(offset, Math.max(length, pieceBytes)));
  if (bytes === undefined || bytes.length < length) {
    throw new HarnessError("body-unreadable", `the body ${path} changed while it was read`);
  }
  return bytes;
}

function* readChunks(path: string, body: BodyRecord): Generator<Chunk> {
  // Close the file between pieces, so that a caller that stops early does not leak a descriptor.
  let piece: Uint8Array = new Uint8Array(0);
  let pieceAt = 0;
  let at = 0;
  for (const [length, atMicros] of body.chunks) {
    if (at + length > pieceAt + piece.length) {
      piece = readPiece(path, at, length);
      pieceAt = at;
    }
    yield { bytes: piece.subarray(at - pieceAt, at - pieceAt + length), atMicros };
    at += length;
  }
}

function openExchange(directory: string, record: ExchangeRecord, unreadable: string | undefined): RecordedExchange {
  const body = record.response?.body;
  if (body === undefined) {
    return { record, chunks: () => [] };
  }
  if (unreadable !== undefined) {
    return withoutBody(record, unreadable);
  }
  return { record, chunks: () => readChunks(join(directory, bundleFiles.bodies, body.sha256), body) };
}

// The key includes the length because two lines may claim different lengths for one digest.
const getBodyKey = ({ sha256, bytes }: BodyRecord): string => `${sha256} ${bytes}`;

function findBodyProblems(
  directory: string,
  records: readonly ExchangeRecord[],
): ReadonlyMap<string, string | undefined> {
  const hasFolder = isPlainFolder(join(directory, bundleFiles.bodies));
  const problemsByBody = new Map<string, string | undefined>();
  for (const { response } of records) {
    if (response !== undefined && !problemsByBody.has(getBodyKey(response.body))) {
      const missing = `the body ${response.body.sha256} is not stored`;
      problemsByBody.set(getBodyKey(response.body), hasFolder ? checkBody(directory, response.body) : missing);
    }
  }
  return problemsByBody;
}

const findUnreadableReason = (
  record: ExchangeRecord,
  bodies: ReadonlyMap<string, string | undefined>,
): string | undefined =>
  undecodedReason(record) ?? (record.response === undefined ? undefined : bodies.get(getBodyKey(record.response.body)));

function readBundleFiles(directory: string, limits: BundleLimits, checksBody: BodySelection): Bundle {
  const { manifest, sha256 } = readManifest(directory, limits);
  const lines = readLines(directory, limits);
  const footer = readFooter(directory, limits);
  const footerProblems = typeof footer === "string" ? [footer] : findFooterProblems(footer, lines, sha256);
  const bodies = findBodyProblems(directory, lines.records.filter(checksBody));
  return {
    manifest,
    ...(typeof footer === "string" ? {} : { footer }),
    isComplete: footerProblems.length === 0 && lines.problems.length === 0,
    problems: [
      ...footerProblems,
      ...lines.problems,
      ...[...bodies.values()].filter((sentence) => sentence !== undefined),
    ],
    exchanges: lines.records.map((record) => openExchange(directory, record, findUnreadableReason(record, bodies))),
  };
}

/** Selects the exchanges whose bodies are compared with their digests. */
type BodySelection = (record: ExchangeRecord) => boolean;

/**
 * Reads a bundle, even if it is incomplete or of unknown origin. Does not open files outside its folder, limits all sizes and compares
 * bodies with their digests: by default all of them. `problems` lists damage. Throws `not-a-bundle`, `unsupported-schema`, `too-large` or
 * a disk error code.
 */
export async function readBundle(
  directory: string,
  limits: Partial<BundleLimits> = {},
  checksBody: BodySelection = () => true,
): Promise<Bundle> {
  try {
    return await Promise.resolve(readBundleFiles(directory, { ...bundleLimits, ...limits }, checksBody));
  } catch (cause) {
    throw toEvidenceError(cause, `read the bundle ${directory}`);
  }
}

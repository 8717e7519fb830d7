import { HarnessError, defined, isHarnessError } from "@assay/contract";
import { readFile, stat } from "node:fs/promises";
import type { Readable } from "node:stream";
import { readBundle, createRedactor, importHar, minSecretLength, findSecretsInHeaders } from "@assay/evidence";
import type {
  Bundle,
  Chunk,
  HarImport,
  HeaderField,
  ReadAttachment,
  RecordedExchange,
  Redactor,
  Secret,
} from "@assay/evidence";
import { createExchangeFromBytes } from "@assay/runner";
import type { CommandContext } from "../command-context.ts";
import { findRunToJudge } from "../run-to-judge.ts";
import { readFirstChunk, readChunks, readIntoMemory, createReadError } from "./read-chunks.ts";
import { needsUnpacking, unpack } from "./unpack.ts";
import { createAttachedFileReader } from "./attached-file-reader.ts";
import { convertToUtf8, isUtf16 } from "./utf-16.ts";
import { maxYamlBytes, readYaml } from "@assay/openapi";
import { createHash } from "node:crypto";
import { defaultTokenVariables } from "@assay/client";
import type { Environment } from "@assay/client";

const maxSniffedBytes = 64 * 1024;
const maxHarBytes = 256 * 1024 * 1024;
const maxYamlDepth = 64;

/** Reports whether bytes look like the start of a HAR file: a JSON object with a member `log`, or its YAML equivalent. */
const looksLikeHar = (prefix: Uint8Array): boolean => {
  const text = new TextDecoder().decode(convertToUtf8(prefix));
  return /^\uFEFF?\s*\{[^]*?"log"\s*:/u.test(text) || isYamlHar(text);
};

/** Reports whether the first member is `log`. Comments and document markers may precede it. */
const isYamlHar = (text: string): boolean =>
  /^\uFEFF?(?:(?:#|---|%)[^\n]*\n|\s)*["']?log["']?\s*:\s*(?:#.*)?\r?\n/u.test(text);

/** Converts a HAR file in YAML to JSON. Returns other bytes unchanged. */
function convertYamlToJson(bytes: Uint8Array, name: string): Uint8Array {
  const prefix = new TextDecoder().decode(bytes.subarray(0, maxSniffedBytes));
  if (!isYamlHar(prefix)) {
    return bytes;
  }
  if (bytes.length > maxYamlBytes) {
    throw new HarnessError(
      "usage",
      `${name} is ${bytes.length} bytes, which exceeds the limit of ${maxYamlBytes} for a HAR file in YAML; convert it to JSON`,
    );
  }
  const document = readYaml(new TextDecoder().decode(bytes), { maxDepth: maxYamlDepth, maxCharacters: maxHarBytes });
  if (!document.ok) {
    throw new HarnessError("not-a-har", `cannot parse the file as YAML: ${document.error.sentence}`);
  }
  return Buffer.from(JSON.stringify(document.value), "utf8");
}

/** Returns the tokens in the environment, because a HAR file from the same user's browser may contain them. */
const findUserTokens = (env: Environment): readonly Secret[] =>
  Object.values(defaultTokenVariables)
    .flat()
    .map((name) => ({ name, value: env[name]?.trim() ?? "" }))
    .filter(({ value }) => value.length >= minSecretLength);

/**
 * Imports the exchanges of a HAR file and redacts secrets, because reports quote exchanges. A credential found in any
 * request is redacted everywhere in the file, in every encoding.
 */
function importRedactedHar(bytes: Uint8Array, { env, path }: Pick<HarSource, "env" | "path">): CheckInput {
  // Keyed by content, so that the same file always produces the same report.
  const key = createHash("sha256").update(bytes).digest();
  const redactorFor = (headers: readonly HeaderField[]): Redactor => {
    const secrets = new Map(
      [...findSecretsInHeaders(headers), ...findUserTokens(env)].map((secret) => [secret.value, secret]),
    );
    return createRedactor({ secrets: [...secrets.values()], key });
  };
  const readAttachment: ReadAttachment =
    path === undefined
      ? () => ({ reason: "can be read only if you pass the HAR file by path instead of standard input" })
      : createAttachedFileReader(path);
  return { kind: "har", ...importHar(bytes, { redactorFor, readAttachment }) };
}

/** Parsed input of `assay check`. */
export type CheckInput =
  | { readonly kind: "bundle"; readonly bundle: Bundle }
  | ({ readonly kind: "har" } & HarImport)
  | { readonly kind: "stream"; readonly exchanges: readonly RecordedExchange[] }
  /** A file that cannot be checked. `reason` completes "FILE …". */
  | { readonly kind: "unreadable"; readonly reason: string; readonly exchanges: readonly [] };

/**
 * Reads a path, or a stream such as standard input. A folder is a bundle. A HAR file is recognized by its content or name. Anything else is
 * a raw stream, optionally compressed or preceded by the response head (`curl -i`). Throws a `HarnessError` if the path cannot be read.
 */
export async function readCheckInput(
  source: string | Readable,
  { cwd, env }: Pick<CommandContext, "cwd" | "env">,
): Promise<CheckInput> {
  if (typeof source !== "string") {
    return parseBuffered("standard input", await readIntoMemory(source, "standard input"), env);
  }
  const stats = await stat(source).catch((cause: unknown) => {
    throw createReadError(source, cause);
  });
  if (stats.isDirectory()) {
    return { kind: "bundle", bundle: await readBundle(findRunToJudge(source, cwd)) };
  }
  if (!stats.isFile()) {
    return parseBuffered(source, await readIntoMemory(readChunks(source), source), env);
  }
  const stream = createStreamInput({ bytes: stats.size, chunks: () => readChunks(source) });
  const prefix = readFirstChunk(source);
  if (needsUnpacking(prefix)) {
    return parseBuffered(source, await readIntoMemory(readChunks(source), source), env);
  }
  return isHarName(source) || looksLikeHar(prefix)
    ? parseHarOrStream(stream, { name: source, size: stats.size, env, path: source, read: () => readFile(source) })
    : rejectUtf16(stream, prefix);
}

function parseBuffered(
  name: string,
  inputChunks: readonly Chunk[],
  env: CommandContext["env"],
): Promise<CheckInput> | CheckInput {
  const [firstChunk] = inputChunks;
  const unpackedBody =
    firstChunk !== undefined && needsUnpacking(firstChunk.bytes) ? unpack(concatChunks(inputChunks)) : undefined;
  if (unpackedBody !== undefined && "reason" in unpackedBody) {
    return { kind: "unreadable", reason: unpackedBody.reason, exchanges: [] };
  }
  const chunks = unpackedBody === undefined ? inputChunks : [{ bytes: unpackedBody.bytes, atMicros: 0 }];
  const size = chunks.reduce((sum, chunk) => sum + chunk.bytes.length, 0);
  const head = unpackedBody?.head;
  const stream = createStreamInput({ bytes: size, chunks: () => chunks, ...defined({ head }) });
  const readWholeFile = (): Buffer => concatChunks(chunks);
  return looksLikeHar(readWholeFile().subarray(0, maxSniffedBytes))
    ? parseHarOrStream(stream, { name, size, env, read: () => Promise.resolve(readWholeFile()) })
    : rejectUtf16(stream, chunks[0]?.bytes ?? new Uint8Array());
}

const utf16Reason =
  "is UTF-16 text, as written by `>` in PowerShell, so the original bytes are lost; record with `curl -o FILE`";

/**
 * Returns `fallback` unless the text is UTF-16. The shell that wrote UTF-16 has already changed line endings and
 * characters.
 */
const rejectUtf16 = (fallback: CheckInput, prefix: Uint8Array): CheckInput =>
  isUtf16(prefix) ? { kind: "unreadable", reason: utf16Reason, exchanges: [] } : fallback;

const concatChunks = (chunks: readonly Chunk[]): Buffer => Buffer.concat(chunks.map(({ bytes }) => bytes));

const createStreamInput = (stream: Parameters<typeof createExchangeFromBytes>[0]): CheckInput => ({
  kind: "stream",
  exchanges: [createExchangeFromBytes(stream)],
});

/** Reports whether a file is named `*.har`. */
const isHarName = (name: string): boolean => name.toLowerCase().endsWith(".har");

interface HarSource {
  readonly name: string;
  readonly size: number;
  readonly env: CommandContext["env"];
  /** Path of the file, to locate files next to it. Undefined for a stream. */
  readonly path?: string;
  readonly read: () => Promise<Uint8Array>;
}

async function parseHarOrStream(fallback: CheckInput, { name, size, env, path, read }: HarSource): Promise<CheckInput> {
  if (size > maxHarBytes) {
    throw new HarnessError(
      "usage",
      `${name} is ${size} bytes, which exceeds the limit of ${maxHarBytes} for a HAR file; record a shorter session`,
    );
  }
  const bytes = await read().catch((cause: unknown) => {
    throw createReadError(name, cause);
  });
  try {
    return importRedactedHar(convertYamlToJson(convertToUtf8(bytes), name), { env, ...defined({ path }) });
  } catch (error) {
    if (!isHarnessError(error)) {
      throw error;
    }
    // A file that only looks like HAR is read as a stream. A file named `.har` must parse.
    if (error.code === "not-a-har" && !isHarName(name)) {
      return rejectUtf16(fallback, bytes);
    }
    throw new HarnessError("usage", `${name}: ${error.sentence}`, { cause: error });
  }
}

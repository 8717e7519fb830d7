import { HarnessError, defined, isHarnessError } from "@assay/contract";
import { readFile, stat } from "node:fs/promises";
import type { Readable } from "node:stream";
import { readBundle, createRedactor, importHar, minSecretLength, secretsInHeaders } from "@assay/evidence";
import type {
  Bundle,
  Chunk,
  HarImport,
  HeaderField,
  ReadAttached,
  RecordedExchange,
  Redactor,
  Secret,
} from "@assay/evidence";
import { exchangeOfBytes } from "@assay/runner";
import type { CommandContext } from "../command-context.ts";
import { runToJudge } from "../run-to-judge.ts";
import { firstPieceOf, piecesOf, readOnce, unreadable } from "./read-pieces.ts";
import { isPacked, unpack } from "./unpack.ts";
import { attachedFiles } from "./attached-file.ts";
import { asUtf8, isUtf16 } from "./utf-16.ts";
import { maxYamlBytes, readYaml } from "@assay/openapi";
import { createHash } from "node:crypto";
import { usualTokenVariables } from "@assay/client";
import type { Environment } from "@assay/client";

/** Whether bytes begin like a HAR file: a JSON object with a member `log`, or the same in YAML. */
const looksLikeHar = (head: Uint8Array): boolean => {
  const text = new TextDecoder().decode(asUtf8(head));
  return /^\uFEFF?\s*\{[^]*?"log"\s*:/u.test(text) || isYamlHar(text);
};

/** Comments and document markers may come before the first member. */
const isYamlHar = (text: string): boolean =>
  /^\uFEFF?(?:(?:#|---|%)[^\n]*\n|\s)*["']?log["']?\s*:\s*(?:#.*)?\r?\n/u.test(text);

/** Converts a HAR file in YAML to JSON; other bytes stay unchanged. */
function jsonOf(bytes: Uint8Array, name: string): Uint8Array {
  const head = new TextDecoder().decode(bytes.subarray(0, sniffedBytes));
  if (!isYamlHar(head)) {
    return bytes;
  }
  if (bytes.length > maxYamlBytes) {
    throw new HarnessError(
      "usage",
      `${name} has ${bytes.length} bytes; of a HAR file in YAML at most ${maxYamlBytes} are read, convert it to JSON`,
    );
  }
  const read = readYaml(new TextDecoder().decode(bytes), { maxDepth: 64, maxCharacters: maxHarBytes });
  if (!read.ok) {
    throw new HarnessError("not-a-har", `the file is no YAML that can be read: ${read.error.sentence}`);
  }
  return Buffer.from(JSON.stringify(read.value), "utf8");
}

/** Tokens of the user: a recording of the user's browser contains them as well. */
const tokensIn = (env: Environment): readonly Secret[] =>
  Object.values(usualTokenVariables)
    .flat()
    .map((name) => ({ name, value: env[name]?.trim() ?? "" }))
    .filter(({ value }) => value.length >= minSecretLength);

/**
 * The exchanges of a HAR file, with secrets replaced, since reports quote them. The credentials of its requests are secrets everywhere in
 * the file, in any encoding.
 */
function importedHar(bytes: Uint8Array, { env, path }: Pick<HarSource, "env" | "path">): Recording {
  // The same file has the same replacements, so its report is always the same.
  const key = createHash("sha256").update(bytes).digest();
  const redactorFor = (headers: readonly HeaderField[]): Redactor => {
    const secrets = new Map([...secretsInHeaders(headers), ...tokensIn(env)].map((secret) => [secret.value, secret]));
    return createRedactor({ secrets: [...secrets.values()], key });
  };
  const attached: ReadAttached =
    path === undefined ? () => ({ flaw: "is read only where the HAR file is named by its path" }) : attachedFiles(path);
  return { kind: "har", ...importHar(bytes, { redactorFor, attached }) };
}

/** The content of a file for `assay check`. */
export type Recording =
  | { readonly kind: "bundle"; readonly bundle: Bundle }
  | ({ readonly kind: "har" } & HarImport)
  | { readonly kind: "stream"; readonly exchanges: readonly RecordedExchange[] }
  /** A file that cannot be unpacked. `flaw` is a clause that follows its name. */
  | { readonly kind: "packed"; readonly flaw: string; readonly exchanges: readonly [] };

const sniffedBytes = 64 * 1024;
const maxHarBytes = 256 * 1024 * 1024;

/**
 * Reads a path or a stream such as standard input. A folder is a bundle; a HAR file is recognized by its content or name. Everything else
 * is the bytes of a stream, which may be compressed or follow a head as `curl -i` prints it. Fails with a `HarnessError`.
 */
export async function readRecording(
  source: string | Readable,
  { cwd, env }: Pick<CommandContext, "cwd" | "env">,
): Promise<Recording> {
  if (typeof source !== "string") {
    return recordingOf("standard input", await readOnce(source, "standard input"), env);
  }
  const found = await stat(source).catch((cause: unknown) => {
    throw unreadable(source, cause);
  });
  if (found.isDirectory()) {
    return { kind: "bundle", bundle: await readBundle(runToJudge(source, cwd)) };
  }
  if (!found.isFile()) {
    return recordingOf(source, await readOnce(piecesOf(source), source), env);
  }
  const stream = streamOf({ bytes: found.size, chunks: () => piecesOf(source) });
  const beginning = firstPieceOf(source);
  if (isPacked(beginning)) {
    return recordingOf(source, await readOnce(piecesOf(source), source), env);
  }
  return isHarName(source) || looksLikeHar(beginning)
    ? harOr(stream, { name: source, size: found.size, env, path: source, read: () => readFile(source) })
    : streamOrFlaw(stream, beginning);
}

function recordingOf(
  name: string,
  pieces: readonly Chunk[],
  env: CommandContext["env"],
): Promise<Recording> | Recording {
  const [first] = pieces;
  const unpacked = first !== undefined && isPacked(first.bytes) ? unpack(wholeOf(pieces)) : undefined;
  if (unpacked !== undefined && "flaw" in unpacked) {
    return { kind: "packed", flaw: unpacked.flaw, exchanges: [] };
  }
  const chunks = unpacked === undefined ? pieces : [{ bytes: unpacked.bytes, atMicros: 0 }];
  const size = chunks.reduce((sum, chunk) => sum + chunk.bytes.length, 0);
  const head = unpacked?.head;
  const stream = streamOf({ bytes: size, chunks: () => chunks, ...defined({ head }) });
  const whole = (): Buffer => wholeOf(chunks);
  return looksLikeHar(whole().subarray(0, sniffedBytes))
    ? harOr(stream, { name, size, env, read: () => Promise.resolve(whole()) })
    : streamOrFlaw(stream, chunks[0]?.bytes ?? new Uint8Array());
}

const utf16Flaw =
  "is a text in UTF-16, as PowerShell writes it with `>`, and no longer has the original bytes; record with `curl -o FILE`";

/** Refuses text in UTF-16: a terminal has changed the line ends and characters of the stream. */
const streamOrFlaw = (stream: Recording, beginning: Uint8Array): Recording =>
  isUtf16(beginning) ? { kind: "packed", flaw: utf16Flaw, exchanges: [] } : stream;

const wholeOf = (chunks: readonly Chunk[]): Buffer => Buffer.concat(chunks.map(({ bytes }) => bytes));

const streamOf = (stream: Parameters<typeof exchangeOfBytes>[0]): Recording => ({
  kind: "stream",
  exchanges: [exchangeOfBytes(stream)],
});

/** A file with the extension of HAR is always read as one. Others that only begin like one may be streams. */
const isHarName = (name: string): boolean => name.toLowerCase().endsWith(".har");

interface HarSource {
  readonly name: string;
  readonly size: number;
  readonly env: CommandContext["env"];
  /** Path of the file, for files next to it; undefined for a stream. */
  readonly path?: string;
  readonly read: () => Promise<Uint8Array>;
}

async function harOr(stream: Recording, { name, size, env, path, read }: HarSource): Promise<Recording> {
  if (size > maxHarBytes) {
    throw new HarnessError(
      "usage",
      `${name} has ${size} bytes; of a HAR file at most ${maxHarBytes} are read, record less at once`,
    );
  }
  const bytes = await read().catch((cause: unknown) => {
    throw unreadable(name, cause);
  });
  try {
    return importedHar(jsonOf(asUtf8(bytes), name), { env, ...defined({ path }) });
  } catch (error) {
    if (!isHarnessError(error)) {
      throw error;
    }
    if (error.code === "not-a-har" && !isHarName(name)) {
      return streamOrFlaw(stream, bytes);
    }
    throw new HarnessError("usage", `${name}: ${error.sentence}`, { cause: error });
  }
}

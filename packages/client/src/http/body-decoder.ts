import { Transform } from "node:stream";
import * as zlib from "node:zlib";
import type { Chunk, FailureCode, HeaderField } from "@assay/evidence";
import { visibleText } from "@assay/evidence";
import type { ClientLimits } from "../limits.ts";

/** Thrown if a body cannot be decoded. */
export class DecodeError extends Error {
  readonly code: FailureCode;

  constructor(code: "decompression" | "decompression-limit", clause: string, options?: ErrorOptions) {
    super(clause, options);
    this.code = code;
  }
}

/** Removes the content encodings of a body, chunk by chunk. */
export interface BodyDecoder {
  /** Returns the output of one chunk, with the time of that chunk. Wait for the result before the next call. */
  push(chunk: Chunk): Promise<readonly Chunk[]>;
  /** Returns the remaining output. Both methods throw a `DecodeError`. Earlier output remains valid. */
  finish(atMicros: number): Promise<readonly Chunk[]>;
  /** Frees the decoder. Always call it. */
  close(): void;
}

/** One encoding. */
interface Decoder {
  run(input: Uint8Array | "end"): Promise<readonly Uint8Array[]>;
  close(): void;
}

const maxEncodings = 5;
const minRatioBytes = 1024 * 1024;
const flushOptions = { flush: zlib.constants.Z_SYNC_FLUSH };

/** Node supports zstd since 22.15. */
function createZstd(): Transform | undefined {
  const create: unknown = Reflect.get(zlib, "createZstdDecompress");
  const decoder: unknown = typeof create === "function" ? Reflect.apply(create, zlib, []) : undefined;
  return decoder instanceof Transform ? decoder : undefined;
}

/** Creates the decoder of an encoding. Some servers send `deflate` without the zlib wrapper, which the first byte reveals. */
function createTransform(name: string, firstByte: number): Transform | undefined {
  switch (name) {
    case "gzip":
    case "x-gzip":
      return zlib.createGunzip(flushOptions);
    case "br":
      return zlib.createBrotliDecompress();
    case "deflate":
      return (firstByte & 0x0f) === 8 ? zlib.createInflate(flushOptions) : zlib.createInflateRaw(flushOptions);
    case "zstd":
      return createZstd();
    default:
      return undefined;
  }
}

const invalidDataError = (name: string, cause: unknown): DecodeError =>
  cause instanceof DecodeError
    ? cause
    : new DecodeError("decompression", `the body is invalid or incomplete ${name}`, { cause });

/** Counts the output of a stage and throws for a decompression bomb. */
type Meter = (bytes: number) => void;

/** Starts a decoder. Passes its output to `release` and its first error to `fail`. */
function startTransform(
  name: string,
  firstByte: number,
  { release, fail }: { release: (bytes: Uint8Array) => void; fail: (error: DecodeError) => void },
): Transform {
  const transform = createTransform(name, firstByte);
  if (transform === undefined) {
    throw new DecodeError("decompression", `the content encoding ${visibleText(name, 40)} is not supported`);
  }
  transform.on("error", (cause) => fail(invalidDataError(name, cause)));
  // A close after the regular end has no effect, because no promise is pending then.
  transform.on("close", () => fail(invalidDataError(name, undefined)));
  transform.on("data", (bytes: Uint8Array) => {
    try {
      release(bytes);
    } catch (cause) {
      fail(invalidDataError(name, cause));
      transform.destroy();
    }
  });
  return transform;
}

function createStage(name: string, createMeter: () => Meter): Decoder {
  const meter = createMeter();
  let transform: Transform | undefined;
  let output: Uint8Array[] = [];
  let failure: DecodeError | undefined;
  let reject: ((error: DecodeError) => void) | undefined;
  const fail = (error: DecodeError): void => {
    failure ??= error;
    reject?.(failure);
  };
  const release = (bytes: Uint8Array): void => {
    meter(bytes.length);
    output.push(bytes);
  };
  const feed = (target: Transform, input: Uint8Array | "end"): Promise<void> =>
    new Promise((resolve, rejectFeed) => {
      reject = rejectFeed;
      // A destroyed decoder calls back without an error. Its error was already reported, and only the first outcome matters.
      const settle = (): void => (failure === undefined ? resolve() : rejectFeed(failure));
      // The callback runs after the chunk was decoded and its output emitted, so later output belongs to the next chunk.
      void (input === "end" ? target.once("end", settle).end() : target.write(input, settle));
    });
  return {
    async run(input) {
      if (failure !== undefined) {
        throw failure;
      }
      if (input !== "end" && input.length > 0) {
        transform ??= startTransform(name, input[0] ?? 0, { release, fail });
      }
      output = [];
      await (transform && feed(transform, input));
      return output;
    },
    close: () => transform?.destroy(),
  };
}

const parseEncodings = (headers: readonly HeaderField[]): readonly string[] =>
  headers
    .filter(([name]) => name.toLowerCase() === "content-encoding")
    .flatMap(([, value]) => value.toLowerCase().split(","))
    .map((name) => name.trim())
    .filter((name) => name !== "" && name !== "identity");

/** Sends chunks through the stages, starting with the first. */
async function runStages(
  stages: readonly Decoder[],
  inputs: readonly (Uint8Array | "end")[],
): Promise<readonly Uint8Array[]> {
  const [stage, ...laterStages] = stages;
  if (stage === undefined) {
    return inputs.filter((input) => input !== "end");
  }
  const outputs: (Uint8Array | "end")[] = [];
  for (const input of inputs) {
    outputs.push(...(await stage.run(input)), ...(input === "end" ? ["end" as const] : []));
  }
  return runStages(laterStages, outputs);
}

/**
 * Creates a decoder for the `Content-Encoding` of a response, or returns undefined if there is none. Throws `decompression-limit` if the
 * output exceeds `maxDecodedBytes` or, from 1 MiB, `maxDecodedRatio` times the input.
 */
export function createBodyDecoder(headers: readonly HeaderField[], limits: ClientLimits): BodyDecoder | undefined {
  const encodings = parseEncodings(headers);
  if (encodings.length === 0) {
    return undefined;
  }
  let inputBytes = 0;
  const createMeter = (): Meter => {
    let outputBytes = 0;
    return (bytes) => {
      outputBytes += bytes;
      if (outputBytes > limits.maxDecodedBytes) {
        throw new DecodeError("decompression-limit", `the decoded body is larger than ${limits.maxDecodedBytes} bytes`);
      }
      if (outputBytes > minRatioBytes && outputBytes > inputBytes * limits.maxDecodedRatio) {
        const clause = `the decoded body is more than ${limits.maxDecodedRatio} times as large as the encoded one`;
        throw new DecodeError("decompression-limit", clause);
      }
    };
  };
  // The encoding applied last is removed first.
  const stages = encodings.toReversed().map((name) => createStage(name, createMeter));
  const run = async (input: Uint8Array | "end", atMicros: number): Promise<readonly Chunk[]> => {
    if (encodings.length > maxEncodings) {
      throw new DecodeError(
        "decompression",
        `the body has ${encodings.length} content encodings, more than ${maxEncodings}`,
      );
    }
    return (await runStages(stages, [input])).map((bytes) => ({ bytes, atMicros }));
  };
  return {
    push({ bytes, atMicros }) {
      inputBytes += bytes.length;
      return run(bytes, atMicros);
    },
    finish: (atMicros) => run("end", atMicros),
    close: () => stages.forEach((stage) => stage.close()),
  };
}

/** Decodes chunks as they arrive, so that a bomb is stopped early. */
export interface Decoding {
  push(chunk: Chunk): void;
  /** Resolves after everything pushed was decoded. `isComplete` is true if the whole body was received. */
  finish(isComplete: boolean, atMicros: number): Promise<void>;
}

export interface DecodingOptions {
  /** Receives the output, in order. */
  readonly onChunk: (chunk: Chunk) => void;
  /** Called at most once. Decoding stops then. */
  readonly onFailure: (error: DecodeError) => void;
}

/** Feeds a decoder one chunk at a time. */
export function startDecoding(decoder: BodyDecoder, { onChunk, onFailure }: DecodingOptions): Decoding {
  let hasFailed = false;
  let lastStep: Promise<void> = Promise.resolve();
  const runStep = async (run: () => Promise<readonly Chunk[]>): Promise<void> => {
    if (hasFailed) {
      return;
    }
    try {
      (await run()).forEach(onChunk);
    } catch (cause) {
      hasFailed = true;
      onFailure(
        cause instanceof DecodeError
          ? cause
          : new DecodeError("decompression", "the body cannot be decoded", { cause }),
      );
    }
  };
  const enqueue = (run: () => Promise<readonly Chunk[]>): void => {
    lastStep = lastStep.then(() => runStep(run));
  };
  return {
    push: (chunk) => enqueue(() => decoder.push(chunk)),
    async finish(isComplete, atMicros) {
      if (isComplete) {
        enqueue(() => decoder.finish(atMicros));
      }
      await lastStep;
      decoder.close();
    },
  };
}

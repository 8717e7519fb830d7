import { MessageChannel, receiveMessageOnPort, Worker } from "node:worker_threads";
import { documentFailure, isDocumentErrorCode } from "./document-error.ts";
import type { DocumentResult } from "./document-error.ts";
import { isJsonObject } from "./json-object.ts";
import { defaultDeadlineMs } from "./validate-open-api-document.ts";

/** Largest YAML that is read, in bytes; reading YAML takes a hundred times as long as reading JSON. */
export const maxYamlBytes = 4 * 1024 * 1024;

interface YamlLimits {
  /** Deepest nesting of arrays and objects, what aliases stand for included. */
  readonly maxDepth: number;
  /** Most characters of JSON that the text may stand for, aliases written out. */
  readonly maxCharacters: number;
  /** Longest time, in milliseconds, default 10,000. */
  readonly deadlineMs?: number;
}

const workerFile = new URL("../worker/yaml-worker.js", import.meta.url);
const maxHeapMb = 512;

/**
 * The value of YAML text as `JSON.parse` would give it: core schema of YAML 1.2, so dates are text; every key is text. Tags
 * of other types, equal keys, numbers that JSON lacks and several documents are refused, aliases and merge keys written out.
 * Waits for a thread of its own, at most until the deadline, and blocks meanwhile. Fails as `not-yaml`, `too-large`,
 * `too-deep` or `deadline-exceeded` (which exhausted memory is told as, too).
 */
export const readYaml = (
  text: string,
  { deadlineMs = defaultDeadlineMs, ...limits }: YamlLimits,
): DocumentResult<unknown> => {
  const { port1: ours, port2: theirs } = new MessageChannel();
  const signal = new Int32Array(new SharedArrayBuffer(4));
  const worker = new Worker(workerFile, {
    workerData: { text, limits, signal, port: theirs },
    transferList: [theirs],
    resourceLimits: { maxOldGenerationSizeMb: maxHeapMb },
    env: {},
    execArgv: [],
    stdout: true,
    stderr: true,
  });
  // Exhausted memory is an event that comes after the wait; it is told already, as the deadline.
  worker.on("error", () => undefined);
  worker.unref();
  try {
    return Atomics.wait(signal, 0, 0, deadlineMs) === "timed-out"
      ? documentFailure("deadline-exceeded", `reading the YAML took more than ${deadlineMs} ms; convert it to JSON`)
      : resultOf(receiveMessageOnPort(ours)?.message);
  } finally {
    ours.close();
    void worker.terminate();
  }
};

const resultOf = (message: unknown): DocumentResult<unknown> => {
  if (!isJsonObject(message)) {
    return documentFailure("not-yaml", "reading the YAML gave no result; convert it to JSON");
  }
  const { code, reason, json } = message;
  return isDocumentErrorCode(code)
    ? documentFailure(code, String(reason))
    : { ok: true, value: JSON.parse(String(json)) };
};

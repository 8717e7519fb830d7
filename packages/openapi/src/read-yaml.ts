import { MessageChannel, receiveMessageOnPort, Worker } from "node:worker_threads";
import { documentFailure, isDocumentErrorCode } from "./document-error.ts";
import type { DocumentResult } from "./document-error.ts";
import { isJsonObject } from "./json-object.ts";
import { defaultDeadlineMs } from "./validate-open-api-document.ts";

/** Maximum size of YAML in bytes. Parsing YAML takes a hundred times as long as parsing JSON. */
export const maxYamlBytes = 4 * 1024 * 1024;

interface YamlLimits {
  /** Maximum nesting of arrays and objects, including the contents of aliases. */
  readonly maxDepth: number;
  /** Maximum number of characters of the resulting JSON, with aliases expanded. */
  readonly maxCharacters: number;
  /** Time limit in milliseconds. Default: 10,000. */
  readonly deadlineMs?: number;
}

const workerFile = new URL("../worker/yaml-worker.js", import.meta.url);
const maxHeapMb = 512;

/**
 * Parses YAML to the value that `JSON.parse` would return: YAML 1.2 core schema, so dates and all keys are strings. Rejects tags of other
 * types, duplicate keys, numbers that JSON cannot represent, and multiple documents. Expands aliases and merge keys. Runs in a separate
 * thread and blocks until it ends, at most until the deadline. Fails with `not-yaml`, `too-large`, `too-deep` or `deadline-exceeded`, also
 * if memory is exhausted.
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
  // Exhausted memory emits an event after the wait. It was already reported as a missed deadline.
  worker.on("error", () => undefined);
  worker.unref();
  try {
    return Atomics.wait(signal, 0, 0, deadlineMs) === "timed-out"
      ? documentFailure("deadline-exceeded", `reading the YAML took more than ${deadlineMs} ms; convert it to JSON`)
      : parseResult(receiveMessageOnPort(ours)?.message);
  } finally {
    ours.close();
    void worker.terminate();
  }
};

const parseResult = (message: unknown): DocumentResult<unknown> => {
  if (!isJsonObject(message)) {
    return documentFailure("not-yaml", "reading the YAML returned no result; convert it to JSON");
  }
  const { code, reason, json } = message;
  return isDocumentErrorCode(code)
    ? documentFailure(code, String(reason))
    : { ok: true, value: JSON.parse(String(json)) };
};

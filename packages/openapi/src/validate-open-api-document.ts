import { Worker } from "node:worker_threads";
import { documentFailure, isDocumentErrorCode } from "./document-error.ts";
import type { DocumentResult } from "./document-error.ts";
import { isJsonObject, ownMember } from "./json-object.ts";
import type { JsonObject } from "./json-object.ts";

/** Time that reading or validating a document may take when nothing else is said, in milliseconds. */
export const defaultDeadlineMs = 10_000;

/** How long work on a document may take. */
export interface DeadlineOptions {
  /** In milliseconds, default 10,000. */
  readonly deadlineMs?: number;
}

interface DocumentValidation {
  /** What could not be checked, one sentence each; empty when everything was. */
  readonly notes: readonly string[];
}

/**
 * Checks a document, with its references in place, against the meta-schema of OpenAPI 3.1. Schemas inside it are only
 * checked to be schemas at all; compiling them finds the rest. For versions 3.0 and 3.2 nothing is checked and a note
 * says so. Fails as `not-valid`, `too-expensive`, `deadline-exceeded` or `cannot-validate`.
 */
export const validateOpenApiDocument = async (
  document: JsonObject,
  options: DeadlineOptions = {},
): Promise<DocumentResult<DocumentValidation>> => {
  const version = String(ownMember(document, "openapi"));
  if (!version.startsWith("3.1.")) {
    return {
      ok: true,
      value: { notes: ["The OpenAPI document is not of version 3.1, so that its form was not checked."] },
    };
  }
  const result = await validateInThread(document, options);
  return result.ok ? { ok: true, value: { notes: [] } } : result;
};

// Plain JavaScript beside the sources: a worker is started by file name, from the sources and from the build alike.
const workerFile = new URL("../worker/document-worker.js", import.meta.url);
const maxHeapMb = 512;

/**
 * Validates a copy of `document` in a thread of its own, which is ended at the deadline whatever it does, because documents can be
 * made to keep a validator busy for years. Fails as `not-valid`, `deadline-exceeded`, `too-expensive` (memory) or, where the thread
 * breaks off, `cannot-validate`.
 */
const validateInThread = async (
  document: JsonObject,
  { deadlineMs = defaultDeadlineMs }: DeadlineOptions,
): Promise<DocumentResult<unknown>> => {
  const worker = new Worker(workerFile, {
    workerData: { document },
    resourceLimits: { maxOldGenerationSizeMb: maxHeapMb },
    env: {},
    execArgv: [],
    stdout: true,
    stderr: true,
  });
  try {
    return await outcomeOf(worker, deadlineMs);
  } finally {
    await worker.terminate();
  }
};

const outcomeOf = (worker: Worker, deadlineMs: number): Promise<DocumentResult<unknown>> =>
  new Promise((resolve) => {
    const timer = setTimeout(() => {
      resolve(documentFailure("deadline-exceeded", `work on the OpenAPI document took more than ${deadlineMs} ms`));
    }, deadlineMs);
    const settle = (result: DocumentResult<unknown>): void => {
      clearTimeout(timer);
      resolve(result);
    };
    worker.once("message", (message: unknown) => settle(resultOf(message)));
    worker.once("error", (error: unknown) => settle(crashOf(error)));
    worker.once("exit", () =>
      settle(documentFailure("cannot-validate", "work on the OpenAPI document ended without a result")),
    );
  });

const resultOf = (message: unknown): DocumentResult<unknown> => {
  if (!isJsonObject(message)) {
    return documentFailure("cannot-validate", "work on the OpenAPI document gave no result");
  }
  const { code, reason, value } = message;
  return isDocumentErrorCode(code) ? documentFailure(code, String(reason)) : { ok: true, value };
};

const crashOf = (error: unknown): DocumentResult<never> =>
  isJsonObject(error) && error["code"] === "ERR_WORKER_OUT_OF_MEMORY"
    ? documentFailure("too-expensive", `work on the OpenAPI document needs more than ${maxHeapMb} MB`)
    : documentFailure(
        "cannot-validate",
        "work on the OpenAPI document broke off; the document may nest or refer too deeply",
      );

import { Worker } from "node:worker_threads";
import { documentFailure, isDocumentErrorCode } from "./document-error.ts";
import type { DocumentResult } from "./document-error.ts";
import { isJsonObject, ownMember } from "./json-object.ts";
import type { JsonObject } from "./json-object.ts";

/** Default time limit for reading or validating a document, in milliseconds. */
export const defaultDeadlineMs = 10_000;

/** Time limit for work on a document. */
export interface DeadlineOptions {
  /** In milliseconds. Default: 10,000. */
  readonly deadlineMs?: number;
}

interface DocumentValidation {
  /** Messages about parts that could not be checked. Empty if everything was checked. */
  readonly notes: readonly string[];
}

/**
 * Validates a document against the meta-schema of OpenAPI 3.1, without resolving references. Checks only that each schema is an object or
 * a boolean. Other errors are found when schemas are compiled. Versions 3.0 and 3.2 are not checked and get a note. Fails with `not-valid`, `too-expensive`,
 * `deadline-exceeded` or `cannot-validate`.
 */
export const validateOpenApiDocument = async (
  document: JsonObject,
  options: DeadlineOptions = {},
): Promise<DocumentResult<DocumentValidation>> => {
  const version = String(ownMember(document, "openapi"));
  if (!version.startsWith("3.1.")) {
    return {
      ok: true,
      value: { notes: ["The OpenAPI document is not version 3.1, so it was not validated."] },
    };
  }
  const result = await validateInThread(document, options);
  return result.ok ? { ok: true, value: { notes: [] } } : result;
};

// The worker is plain JavaScript outside the sources, because it is started by file name both from the sources and from the build.
const workerFile = new URL("../worker/document-worker.js", import.meta.url);
const maxHeapMb = 512;

/**
 * Validates a copy of `document` in a separate thread, which is terminated at the deadline, because a hostile document can make a validator
 * run for years. Fails with `not-valid`, `deadline-exceeded`, `too-expensive` (memory) or, if the thread crashes, `cannot-validate`.
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
    return await awaitResult(worker, deadlineMs);
  } finally {
    await worker.terminate();
  }
};

const awaitResult = (worker: Worker, deadlineMs: number): Promise<DocumentResult<unknown>> =>
  new Promise((resolve) => {
    const timer = setTimeout(() => {
      resolve(documentFailure("deadline-exceeded", `validating the OpenAPI document took more than ${deadlineMs} ms`));
    }, deadlineMs);
    const settle = (result: DocumentResult<unknown>): void => {
      clearTimeout(timer);
      resolve(result);
    };
    worker.once("message", (message: unknown) => settle(parseResult(message)));
    worker.once("error", (error: unknown) => settle(describeCrash(error)));
    worker.once("exit", () =>
      settle(documentFailure("cannot-validate", "validating the OpenAPI document ended without a result")),
    );
  });

const parseResult = (message: unknown): DocumentResult<unknown> => {
  if (!isJsonObject(message)) {
    return documentFailure("cannot-validate", "validating the OpenAPI document returned no result");
  }
  const { code, reason, value } = message;
  return isDocumentErrorCode(code) ? documentFailure(code, String(reason)) : { ok: true, value };
};

const describeCrash = (error: unknown): DocumentResult<never> =>
  isJsonObject(error) && error["code"] === "ERR_WORKER_OUT_OF_MEMORY"
    ? documentFailure("too-expensive", `validating the OpenAPI document needs more than ${maxHeapMb} MB`)
    : documentFailure(
        "cannot-validate",
        "validating the OpenAPI document crashed; its nesting or references may be too deep",
      );

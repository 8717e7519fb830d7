import { HarnessError } from "@assay/contract";
/** The reasons an OpenAPI document cannot be used. A closed set. */
export const documentErrorCodes = [
  "too-large",
  "not-utf-8",
  "html",
  "not-json",
  "not-yaml",
  "too-deep",
  "not-open-api",
  "unsupported-version",
  "external-reference",
  "unresolved-reference",
  "cannot-validate",
  "not-valid",
  "deadline-exceeded",
  "unsafe-pattern",
  "cannot-compile",
  "too-expensive",
] as const;
export type DocumentErrorCode = (typeof documentErrorCodes)[number];

/** Reports whether `code` is in the closed set. */
export const isDocumentErrorCode = (code: unknown): code is DocumentErrorCode =>
  documentErrorCodes.some((documentCode) => documentCode === code);

/** The result of reading a document: a value or an error. */
export type DocumentResult<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly error: HarnessError };

/** Creates a failed `DocumentResult`. */
export const documentFailure = (code: DocumentErrorCode, message: string): DocumentResult<never> => ({
  ok: false,
  error: new HarnessError(code, message),
});

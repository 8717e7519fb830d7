export * from "./bundle/bundle-files.ts";
export { type Bundle, readBundle } from "./bundle/bundle-reader.ts";
export { type BundleWriter, createBundleWriter, type FooterInfo } from "./bundle/bundle-writer.ts";
export { curlLine } from "./curl-line.ts";
export { quoteForShell, toShellWord } from "./shell-word.ts";
export * from "./evidence-error.ts";
export * from "./exchange.ts";
export { exportHar } from "./har/har-export.ts";
export type { ReadAttachment } from "./har/har-body.ts";
export { type HarImport, importHar } from "./har/har-import.ts";
export { knownFailuresChecker } from "./bundle/record-checkers.ts";
export { parseJson } from "./bundle/record-shape.ts";
export { parseBaseUrl } from "./request-kind.ts";
export { type RecordedExchange, recordDraft } from "./recorded-exchange.ts";
export { createRedactor, type Redactor } from "./redaction/redactor.ts";
export { type CleanFiles, scanForSecrets } from "./redaction/scan-for-secrets.ts";
export { makeFolder } from "./bundle/make-folder.ts";
export { isSecretHeaderName, replaceInHeader, findSecretsInHeaders } from "./redaction/secret-headers.ts";
export { minSecretLength, type Secret } from "./redaction/secret-patterns.ts";
export { visibleText } from "./visible-text.ts";
export { writeAtomically } from "./bundle/write-atomically.ts";
export {
  type KeptEntry,
  type KeptExchange,
  type KeptFile,
  listKeptFiles,
  openKeptFile,
} from "./bundle/kept-exchanges.ts";
export { findJsonPointerSpan, type Span } from "./edits/json-span.ts";
export {
  deleteSpan,
  insertBytes,
  type JsonText,
  addMember,
  removeMember,
  toOtherType,
  replaceSpan,
  type Splice,
  applySplices,
  applySplicesToChunks,
  replaceValue,
  findValueSpan,
  getValueText,
} from "./edits/splice.ts";

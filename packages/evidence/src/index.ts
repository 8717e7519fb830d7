export * from "./bundle-files.ts";
export type { BundleLimits } from "./bundle-limits.ts";
export { type Bundle, readBundle } from "./bundle-reader.ts";
export { type BundleWriter, type BundleWriterOptions, createBundleWriter, type FooterInfo } from "./bundle-writer.ts";
export { curlLine } from "./curl-line.ts";
export * from "./evidence-error.ts";
export * from "./exchange.ts";
export { exportHar } from "./har-export.ts";
export { type HarImport, type HarImportOptions, importHar } from "./har-import.ts";
export { isKnownFailures } from "./record-shape.ts";
export { type RecordedExchange, recordDraft } from "./recorded-exchange.ts";
export { createRedactor, type Redactor, type RedactorOptions } from "./redactor.ts";
export { type RequestKind, requestKind } from "./request-kind.ts";
export { type CleanFiles, scanForSecrets, type SecretHit } from "./scan-for-secrets.ts";
export { makeFolder } from "./make-folder.ts";
export { isSecretHeaderName, replaceInHeader, secretsInHeaders } from "./secret-headers.ts";
export { minSecretLength, type Secret } from "./secret-patterns.ts";
export { slug } from "./slug.ts";
export { visibleText } from "./visible-text.ts";
export { writeWhole } from "./write-whole.ts";
export {
  type KeptEntry,
  type KeptExchange,
  type KeptFile,
  keptFilesIn,
  type LoadAtExchange,
  openKeptFile,
} from "./kept-exchanges.ts";

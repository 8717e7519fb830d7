export { bundleOpenApi } from "./bundle-open-api.ts";
export * from "./compile-validators.ts";
export * from "./document-error.ts";
export { type DeadlineOptions, defaultDeadlineMs } from "./document-worker.ts";
export type { JsonObject } from "./json-object.ts";
export * from "./parse-open-api-document.ts";
export { maxSchemaErrors, type SchemaError } from "./schema-error.ts";
export * from "./search-stream-validators.ts";
export { validateOpenApiDocument } from "./validate-open-api-document.ts";

export * from "./openapi-schema-describes-operations.ts";
export * from "./openapi-schema-is-served.ts";
export * from "./responses-fit-openapi.ts";

export * from "./finding.ts";
export * from "./grammar-codes.ts";
export * from "./rule-record.ts";
export * from "./vocabulary.ts";

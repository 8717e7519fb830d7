export { maxBodyBytes, maxBodyDepth, readBody, readText } from "./body-text.ts";
export { type Checker, createChecker, toChecker } from "./checker.ts";
export * from "./classify-answer.ts";
export * from "./conversation-reader.ts";
export { parseExactly } from "./exact-json.ts";
export * from "./json-value.ts";
export { generateCheck } from "./generate-check.ts";
export { nestsDeeperThan } from "./nesting-depth.ts";
export * from "./stored-shape.ts";

export * from "./answers-agree.ts";
export * from "./ends-agree.ts";
export * from "./questions-agree.ts";

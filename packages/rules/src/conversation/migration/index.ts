export * from "./answers-agree.ts";
export * from "./deleted-is-gone.ts";
export * from "./ends-agree.ts";
export * from "./questions-agree.ts";

export * from "./bundle-files.ts";
export * from "./exchange.ts";

export * from "./alerts.ts";
export * from "./chunk-match-has-context.ts";
export * from "./content-match-shows-lines.ts";
export * from "./event-data.ts";
export * from "./line-numbers-fit-chunks.ts";
export * from "./line-numbers.ts";
export * from "./line-pairs.ts";
export * from "./path-ranges.ts";

/** Whether `npm run prove` runs the tests, which tries everything; `npm test` tries a part of what can be tried one by one. */
export declare const isProving: boolean;

/** How many of something are tried: `some` in `npm test`, `all` in `npm run prove`. */
export declare const howMany: (some: number, all: number) => number;

/** What is tried of a list: all of it in `npm run prove`, else the first one and every `n`th after it. */
export declare const everyNth: <T>(list: readonly T[], n: number) => readonly T[];

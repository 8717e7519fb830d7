/** Whether `npm run prove` runs the tests. `npm test` tries a part of what can be tried one by one. */
export declare const isProving: boolean;

/** Whether `npm run prove -- --all` runs the tests, which leaves nothing out. */
export declare const isProvingAll: boolean;

/** How many of something are tried: `some` in `npm test`, `all` in `npm run prove`. */
export declare const howMany: (some: number, all: number) => number;

/** What is tried of a list: all of it in `npm run prove`, else the first one and every `n`th after it. */
export declare const everyNth: <T>(list: readonly T[], n: number) => readonly T[];

/**
 * A sample of a list, one in `n` and at least one, in the order of the list. The seed of the run decides which. Every commit has
 * another seed, so that in time all are tried. With `npm run prove -- --all` it is the list itself.
 */
export declare const drawn: <T>(list: readonly T[], n: number) => readonly T[];

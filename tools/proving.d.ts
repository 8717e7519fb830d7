/** True in `npm run prove`. */
export declare const isProving: boolean;

/** True in `npm run prove -- --all`, which leaves nothing out. */
export declare const isProvingAll: boolean;

/** How often a property is tried: `all` times in `npm run prove -- --all`, else `some`. */
export declare const howMany: (some: number, all: number) => number;

/**
 * The rows of a table to test. `npm test` runs those that are quick, `npm run prove` the others, and
 * `npm run prove -- --all` runs all of them. The test needs the tag `more`.
 */
export declare const rowsNow: <T>(list: readonly T[], isQuick: (row: T, index: number) => boolean) => readonly T[];

/** The same, where the first row and every `n`th after it are quick. */
export declare const everyNth: <T>(list: readonly T[], n: number) => readonly T[];

/**
 * A sample of a list, one in `n` and at least one, in the order of the list. The seed of the run decides which. Every commit has
 * another seed, so that in time all are tried. With `npm run prove -- --all` it is the list itself.
 */
export declare const drawn: <T>(list: readonly T[], n: number) => readonly T[];

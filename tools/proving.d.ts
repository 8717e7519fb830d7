/** True in `npm run prove`. */
export declare const isProving: boolean;

/** True in `npm run prove -- --all`, which runs everything. */
export declare const isProvingAll: boolean;

/** Number of runs of a property test: `all` in `npm run prove -- --all`, otherwise `some`. */
export declare const repetitions: (some: number, all: number) => number;

/**
 * Selects the rows of a table to test. `npm test` runs the quick ones, `npm run prove` the rest, and
 * `npm run prove -- --all` runs all of them. The test needs the tag `more`.
 */
export declare const selectRows: <T>(list: readonly T[], isQuick: (row: T, index: number) => boolean) => readonly T[];

/** Like `selectRows`. Every `n`th row is quick, starting with the first. */
export declare const everyNth: <T>(list: readonly T[], n: number) => readonly T[];

/**
 * Returns a sample of a list, one in `n` and at least one, in list order. The seed of the run selects them. It changes with every
 * commit, so that every item is tested eventually. Returns the whole list with `npm run prove -- --all`.
 */
export declare const drawSample: <T>(list: readonly T[], n: number) => readonly T[];

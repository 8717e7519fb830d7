/** The console methods of k6. TypeScript's DOM library would also declare `fetch` and `URL`, which k6 lacks. */
declare const console: {
  log(...values: readonly unknown[]): void;
  info(...values: readonly unknown[]): void;
  warn(...values: readonly unknown[]): void;
  error(...values: readonly unknown[]): void;
};

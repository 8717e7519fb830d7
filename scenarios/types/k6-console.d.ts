/** What k6 has of a console; the library of the DOM would offer `fetch` and `URL` as well, which k6 has not. */
declare const console: {
  log(...values: readonly unknown[]): void;
  info(...values: readonly unknown[]): void;
  warn(...values: readonly unknown[]): void;
  error(...values: readonly unknown[]): void;
};

// The module `assay/vitest`: adds a matcher to vitest, and its type.
import { expect } from "vitest";
import { checkStream, type StreamSource } from "./stream.ts";

declare module "vitest" {
  interface Matchers<T> {
    /**
     * Reads a response, or the bytes of one, to its end and checks it against every rule for a single stream. Await the result.
     * Fails, even after `not`, if there is no stream to judge.
     */
    toKeepTheStreamContract: () => T extends never ? never : Promise<void>;
  }
}

const maxShownViolations = 10;

expect.extend({
  async toKeepTheStreamContract(received: StreamSource) {
    const { outcome, summary, violations } = await checkStream(received);
    if (outcome === "incomplete") {
      throw new Error(`there is no stream to judge: ${summary}`);
    }
    const shownViolations = violations.slice(0, maxShownViolations).map(({ message, offset, rule, title }) => {
      const position = offset === undefined ? "" : ` (byte ${offset})`;
      return `  ${rule}: ${title}\n    ${message}${position}`;
    });
    const remainder =
      violations.length > maxShownViolations ? [`  and ${violations.length - maxShownViolations} more`] : [];
    return {
      pass: outcome === "conforms",
      message: () =>
        outcome === "conforms"
          ? `expected the stream to break the contract; ${summary}`
          : [`expected the stream to keep the contract; ${summary}`, ...shownViolations, ...remainder].join("\n"),
    };
  },
});

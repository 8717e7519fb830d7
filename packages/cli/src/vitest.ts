// What `import "assay/vitest"` does: it adds an expectation to vitest, and its type.
import { expect } from "vitest";
import { checkStream, type StreamSource } from "./stream.ts";

declare module "vitest" {
  interface Matchers<T> {
    /**
     * Reads an answer, or the bytes of one, to its end and judges it by every rule about one stream. To be awaited. Fails, also
     * after `not`, if there is no stream to judge.
     */
    toKeepTheStreamContract: () => T extends never ? never : Promise<void>;
  }
}

const most = 10;

expect.extend({
  async toKeepTheStreamContract(received: StreamSource) {
    const { outcome, summary, violations } = await checkStream(received);
    if (outcome === "incomplete") {
      throw new Error(`there is no stream to judge: ${summary}`);
    }
    const shown = violations.slice(0, most).map(({ message, offset, rule, title }) => {
      const place = offset === undefined ? "" : ` (byte ${offset})`;
      return `  ${rule}: ${title}\n    ${message}${place}`;
    });
    const rest = violations.length > most ? [`  and ${violations.length - most} more`] : [];
    return {
      pass: outcome === "conforms",
      message: () =>
        outcome === "conforms"
          ? `expected the stream to break the contract; ${summary}`
          : [`expected the stream to keep the contract; ${summary}`, ...shown, ...rest].join("\n"),
    };
  },
});

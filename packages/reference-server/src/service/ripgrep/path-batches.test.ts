import fc from "fast-check";
import { expect, test } from "vitest";
import { splitIntoBatches } from "./path-batches.ts";

test("batches contain all paths in order, none is empty, and each fits on a command line", () => {
  fc.assert(
    fc.property(fc.array(fc.string({ minLength: 1, maxLength: 9000 }), { maxLength: 60 }), (paths) => {
      const batches = [...splitIntoBatches(paths)];
      expect(batches.flat()).toEqual(paths);
      expect(batches.every((batch) => batch.length > 0)).toBe(true);
      expect(batches.every((batch) => Buffer.byteLength(batch.join(" ")) <= 100_000)).toBe(true);
    }),
    { numRuns: 50 },
  );
});

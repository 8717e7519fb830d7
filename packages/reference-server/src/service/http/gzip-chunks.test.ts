import { createGunzip, gunzipSync } from "node:zlib";
import fc from "fast-check";
import { expect, test } from "vitest";
import { collected } from "../../testing/collected.ts";
import { gzipChunks } from "./gzip-chunks.ts";

async function* arriving(chunks: readonly (Buffer | "cut")[]): AsyncGenerator<Buffer | "cut"> {
  yield* chunks;
}

const large = Buffer.from(Array.from({ length: 300_000 }, (_, index) => (index * 7919) % 251));

test("each chunk can be read in full before the next one is requested", async () => {
  const chunks = [Buffer.from("event: filters\ndata: []\n\n"), large, Buffer.from("x"), Buffer.from("\n")];
  const gunzip = createGunzip();
  const read: Buffer[] = [];
  gunzip.on("data", (part: Buffer) => read.push(part));
  const pieces = gzipChunks(arriving(chunks));
  for (const index of chunks.keys()) {
    const piece = await pieces.next();
    gunzip.write(Buffer.from(piece.value ?? ""));
    const expected = Buffer.concat(chunks.slice(0, index + 1));
    await expect.poll(() => Buffer.concat(read).equals(expected)).toBe(true);
  }
  gunzip.end(Buffer.from((await pieces.next()).value ?? ""));
  expect((await pieces.next()).done).toBe(true);
});

test("actions on the connection keep their position", async () => {
  const pieces = await collected(gzipChunks(arriving([Buffer.from("a"), "cut"])));
  expect(pieces[1]).toBe("cut");
});

test("decompressed chunks equal the originals", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.uint8Array({ minLength: 1 })), async (arrays) => {
      const chunks = arrays.map((bytes) => Buffer.from(bytes));
      const pieces = await collected(gzipChunks(arriving(chunks)));
      const packed = pieces.filter((piece) => typeof piece !== "string");
      expect(gunzipSync(Buffer.concat(packed))).toEqual(Buffer.concat(chunks));
    }),
    { numRuns: 50 },
  );
});

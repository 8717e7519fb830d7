import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import * as fc from "fast-check";
import { afterAll, describe, expect, test } from "vitest";
import { readFirstChunk, readChunks, readIntoMemory, createReadError } from "./read-chunks.ts";

const folder = mkdtempSync(join(tmpdir(), "assay-chunks-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const path = join(folder, "file");

const whole = (chunks: Iterable<{ readonly bytes: Uint8Array }>): Buffer =>
  Buffer.concat(Array.from(chunks, ({ bytes }) => bytes));

describe("the chunks of a file", () => {
  test.each([0, 1, 65_535, 65_536, 65_537, 200_000])("contain all %i bytes, at most 64 KiB each", (size) => {
    const bytes = Buffer.from(Array.from({ length: size }, (_, index) => index % 251));
    writeFileSync(path, bytes);
    const chunks = [...readChunks(path)];
    expect(whole(chunks).equals(bytes)).toBe(true);
    expect(chunks.map(({ bytes: { length } }) => length).filter((length) => length === 0 || length > 65_536)).toEqual(
      [],
    );
    expect(Buffer.from(readFirstChunk(path)).equals(bytes.subarray(0, 65_536))).toBe(true);
  });

  test("cannot be read from a folder", () => {
    expect(() => [...readChunks(folder)]).toThrow(`${folder} cannot be read: EISDIR`);
  });
});

describe("a stream that can be read only once", () => {
  test("is read completely, regardless of its chunks", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.uint8Array()), async (chunks) => {
        const stream = Readable.from(chunks.map((chunk) => Buffer.from(chunk)));
        expect(whole(await readIntoMemory(stream, "a stream")).equals(Buffer.concat(chunks))).toBe(true);
      }),
    );
  });
});

describe("the error for an unreadable file", () => {
  test.each([
    { code: "ENOENT", says: "no such file" },
    { code: "EACCES", says: "permission denied" },
    { code: "EIO", says: "EIO" },
  ])("describes $code", ({ code, says }) => {
    const { message } = createReadError("some.sse", Object.assign(new Error("raw"), { code }));
    expect(message).toBe(`some.sse cannot be read: ${says}; pass a recorded stream, a HAR file or a run folder`);
  });

  test("also describes values that are not system errors", () => {
    expect(createReadError("some.sse", "odd").message).toContain("cannot be read: unknown error");
  });
});

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import * as fc from "fast-check";
import { afterAll, describe, expect, test } from "vitest";
import { firstPieceOf, piecesOf, readOnce, unreadable } from "./read-pieces.ts";

const folder = mkdtempSync(join(tmpdir(), "assay-pieces-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const path = join(folder, "file");

const whole = (chunks: Iterable<{ readonly bytes: Uint8Array }>): Buffer =>
  Buffer.concat(Array.from(chunks, ({ bytes }) => bytes));

describe("the pieces of a file", () => {
  test.each([0, 1, 65_535, 65_536, 65_537, 200_000])("of %i bytes are its bytes, at most 64 KiB at once", (size) => {
    const bytes = Buffer.from(Array.from({ length: size }, (_, index) => index % 251));
    writeFileSync(path, bytes);
    const pieces = [...piecesOf(path)];
    expect(whole(pieces).equals(bytes)).toBe(true);
    expect(pieces.map(({ bytes: { length } }) => length).filter((length) => length === 0 || length > 65_536)).toEqual(
      [],
    );
    expect(Buffer.from(firstPieceOf(path)).equals(bytes.subarray(0, 65_536))).toBe(true);
  });

  test("cannot be read from a folder", () => {
    expect(() => [...piecesOf(folder)]).toThrow(`${folder} cannot be read: the system answered EISDIR`);
  });
});

describe("what is read once", () => {
  test("is the bytes that came, whatever pieces they came in", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.uint8Array()), async (pieces) => {
        const stream = Readable.from(pieces.map((piece) => Buffer.from(piece)));
        expect(whole(await readOnce(stream, "a stream")).equals(Buffer.concat(pieces))).toBe(true);
      }),
    );
  });
});

describe("the sentence about what cannot be read", () => {
  test.each([
    { code: "ENOENT", says: "there is no such file" },
    { code: "EACCES", says: "permission was denied" },
    { code: "EIO", says: "the system answered EIO" },
  ])("names $code in plain words", ({ code, says }) => {
    const { message } = unreadable("some.sse", Object.assign(new Error("raw"), { code }));
    expect(message).toBe(`some.sse cannot be read: ${says}; name a recorded stream, a HAR file or the folder of a run`);
  });

  test("also describes values that are not system errors", () => {
    expect(unreadable("some.sse", "odd").message).toContain("the system answered unknown error");
  });
});

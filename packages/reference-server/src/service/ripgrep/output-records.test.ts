import { anyCharacter } from "@assay/tools/any-character";
import fc from "fast-check";
import { expect, test } from "vitest";
import { splitRecords } from "./output-records.ts";

const cut = (bytes: Buffer, places: readonly number[]): readonly Buffer[] => {
  const ends = [...places.map((place) => place % (bytes.length + 1)), bytes.length].toSorted(
    (one, other) => one - other,
  );
  return ends.map((end, index) => bytes.subarray(ends[index - 1] ?? 0, end));
};

async function* stream(chunks: readonly Buffer[]): AsyncGenerator<Buffer> {
  yield* chunks;
}

test("records do not depend on where the output is cut", async () => {
  const record = fc.string({ unit: anyCharacter }).filter((text) => !text.includes("\n"));
  await fc.assert(
    fc.asyncProperty(fc.array(record), fc.array(fc.nat()), async (records, places) => {
      const output = Buffer.from(records.map((text) => `${text}\n`).join(""));
      const read: string[] = [];
      for await (const group of splitRecords(stream(cut(output, places)))) {
        read.push(...group);
      }
      expect(read).toEqual(records);
    }),
  );
});

test("an unfinished record is dropped", async () => {
  const read: string[] = [];
  for await (const group of splitRecords(stream([Buffer.from("whole\nhal")]))) {
    read.push(...group);
  }
  expect(read).toEqual(["whole"]);
});

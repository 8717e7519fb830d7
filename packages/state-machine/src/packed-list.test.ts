import { anyCharacter } from "@assay/tools/any-character";
import fc from "fast-check";
import { expect, test } from "vitest";
import { packList, unpackList } from "./packed-list.ts";

const values = fc.oneof(
  fc.constant(null),
  fc.nat(600),
  fc.maxSafeInteger(),
  fc.double(),
  fc.string(),
  fc.string({ unit: anyCharacter, maxLength: 400 }),
);

test("a list is unpacked exactly, whatever it contains", () => {
  fc.assert(
    fc.property(fc.array(values), (list) => {
      expect(unpackList(packList(list))).toEqual(list);
    }),
  );
});

test.each([-0, 250, 251, 255, 65_536, 2 ** 32 - 1, 2 ** 32, -1, 0.5, Number.NaN, -Infinity])(
  "%d is unpacked exactly",
  (value) => {
    expect(unpackList(packList([value]))).toEqual([value]);
  },
);

test("a packed list has a byte for each character", () => {
  expect(packList([7, null, "größer"])).toHaveLength(1 + 1 + 3 + 6);
  expect(packList(["搜索"])).toHaveLength(3 + 4);
});

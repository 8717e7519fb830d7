import { anyCharacter } from "@assay/tools/any-character";
import { describe, expect, test } from "vitest";
import { parseInstant, formatInstant } from "./instant.ts";
import { chainedDigest, textDigest } from "./text-digest.ts";
import { versionRegressions, maxVersionBuckets, newVersionBounds, addVersion } from "./bounds.ts";
import { noReads } from "./timed-value.ts";
import type { TimedValue } from "./timed-value.ts";

import fc from "fast-check";

describe("an instant", () => {
  test("equals the time that JavaScript parses", () => {
    fc.assert(
      fc.property(
        fc.date({
          min: new Date("1685-01-01T00:00:00Z"),
          max: new Date("2255-01-01T00:00:00Z"),
          noInvalidDate: true,
        }),
        (date) => {
          expect(parseInstant(date.toISOString())).toEqual({ micros: date.getTime() * 1000, unitMicros: 1000 });
          expect(formatInstant(parseInstant(date.toISOString()))).toBe(date.toISOString());
        },
      ),
    );
  });

  test.each([
    { text: "2025-06-01T12:00:00Z", back: "2025-06-01T12:00:00Z" },
    { text: "2025-06-01t12:00:00z", back: "2025-06-01T12:00:00Z" },
    { text: "2025-06-01 12:00:00Z", back: "2025-06-01T12:00:00Z" },
    { text: "2025-06-01T12:00:00.123456789Z", back: "2025-06-01T12:00:00.123456Z" },
    { text: "2025-06-01T12:00:00.5+02:30", back: "2025-06-01T09:30:00.5Z" },
    { text: "2025-03-01T00:30:00-23:59", back: "2025-03-02T00:29:00Z" },
    { text: "2025-06-01T12:00:00,123456789+00:00", back: "2025-06-01T12:00:00.123456Z" },
    { text: "2025-06-01T12:00:00.5+00", back: "2025-06-01T12:00:00.5Z" },
    { text: "2025-06-01T12:00:00-03", back: "2025-06-01T15:00:00Z" },
    { text: "2025-06-01T12:00:00+0230", back: "2025-06-01T09:30:00Z" },
    { text: "20250601T120000,25+0000", back: "2025-06-01T12:00:00.25Z" },
  ])("$text is $back", ({ text, back }) => {
    expect(formatInstant(parseInstant(text))).toBe(back);
  });

  test.each([
    "",
    "soon",
    "2025-06-01",
    "2025-06-01T12:00:00",
    "1750000000",
    "2025-06-01T12:00:00.Z",
    "2025-06-01T12:00:00+0",
    `2025-06-01T12:00:00.${"1".repeat(99)}Z`,
  ])("%j is none", (text) => {
    expect(parseInstant(text).micros).toBeNaN();
  });
});

describe("a digest", () => {
  test("is an integer of at most 53 bits, the same for equal texts", () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter }), (text) => {
        expect(Number.isSafeInteger(textDigest(text))).toBe(true);
        expect(textDigest(text)).toBe(textDigest(`${text} `.slice(0, -1)));
      }),
    );
  });

  test("differs for a hundred thousand texts that differ little", () => {
    const texts = Array.from({ length: 100_000 }, (_, index) => `text ${index}`);
    expect(new Set(texts.map(textDigest)).size).toBe(texts.length);
  });

  test("of a list depends on the order and the number of its members", () => {
    const listDigest = (...members: readonly string[]) =>
      members.reduce((digest, member) => chainedDigest(digest, textDigest(member)), 0);
    const lists = [["a"], ["b"], ["a", "b"], ["b", "a"], ["a", "a"], ["a", "b", "c"], ["a", "c", "b"], ["ab"]];
    expect(new Set(lists.map((list) => listDigest(...list))).size).toBe(lists.length);
  });

  test("of a list differs for a hundred thousand lists that begin alike", () => {
    const digests = Array.from({ length: 100_000 }, (_, index) =>
      chainedDigest(chainedDigest(0, textDigest("a")), textDigest(String(index))),
    );
    expect(new Set(digests).size).toBe(digests.length);
  });
});

const session = { name: "", number: 0 };

const answer = (sentMicros: number, updatedMicros: number): TimedValue => ({
  kind: "read",
  exchange: String(sentMicros),
  session,
  sentAtMicros: sentMicros,
  endedAtMicros: sentMicros + 1,
  value: "",
  updated: { micros: updatedMicros, unitMicros: 1 },
  equalReads: noReads,
});

describe("bounds by time of update", () => {
  test("find a regression exactly if two ordered observations go back, as long as there are few times", () => {
    const anyObservation = fc.tuple(fc.nat(30), fc.nat(20)).map(([sent, updated]) => answer(sent, updated));
    fc.assert(
      fc.property(fc.array(anyObservation, { maxLength: 12 }), (all) => {
        const bounds = newVersionBounds();
        all.forEach((observation) => addVersion(bounds, observation, undefined));
        const regressions = all.some((a) =>
          all.some((b) => a.endedAtMicros < b.sentAtMicros && a.updated.micros > b.updated.micros),
        );
        expect(versionRegressions(bounds).length > 0).toBe(regressions);
      }),
    );
  });

  test("keep a bounded number of ranges, the same ones in any order", () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.nat(1000), fc.maxSafeInteger()), { minLength: 100, maxLength: 300 }),
        (times) => {
          const all = times.map(([sent, updated]) => answer(sent, updated));
          const [forward, backward] = [newVersionBounds(), newVersionBounds()];
          all.forEach((observation) => addVersion(forward, observation, undefined));
          all.toReversed().forEach((observation) => addVersion(backward, observation, undefined));
          expect(forward.buckets.length).toBeLessThanOrEqual(maxVersionBuckets);
          expect(forward).toEqual(backward);
        },
      ),
    );
  });
});

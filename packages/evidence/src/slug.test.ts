import { anyCharacter } from "@assay/config/any-character";
import fc from "fast-check";
import { expect, test } from "vitest";
import { slug } from "./slug.ts";

test.each([
  { name: "a path", input: "../../etc/passwd", starts: "etc-passwd-" },
  { name: "a device name", input: "CON", starts: "con-" },
  { name: "nothing readable", input: "\0/\\", starts: "x-" },
  { name: "an empty name", input: "", starts: "x-" },
])("$name becomes a plain file name", ({ input, starts }) => {
  expect(slug(input).startsWith(starts)).toBe(true);
});

test("names that differ in case alone stay different where case is ignored", () => {
  expect(slug("Probe").toLowerCase()).not.toBe(slug("probe").toLowerCase());
});

test("any name becomes at most 69 safe characters", () => {
  fc.assert(
    fc.property(fc.string({ unit: anyCharacter, maxLength: 400 }), (name) => {
      expect(slug(name)).toMatch(/^[a-z0-9](?:[a-z0-9-]{0,59})-[0-9a-f]{8}$/);
    }),
  );
});

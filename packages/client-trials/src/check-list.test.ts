import { allRequirements } from "@assay/contract";
import { describe, expect, test } from "vitest";
import { checks } from "./check-list.ts";
import { trials } from "./trial-list.ts";

describe("the checks", () => {
  test("have unique ids", () => {
    expect(new Set(checks.map(({ id }) => id)).size).toBe(checks.length);
  });

  test.each(checks)(
    "of $id come from requirements that exist, or say what they come from",
    ({ because, requirements }) => {
      const known = new Set(allRequirements.map(({ id }) => id));
      expect(requirements.filter((id) => !known.has(id))).toEqual([]);
      expect(requirements.length > 0 || because !== undefined).toBe(true);
    },
  );

  test.each(checks.filter(({ basis }) => basis === "stated"))(
    "that $id is stated is said by a sentence",
    ({ requirements }) => {
      expect(requirements.length).toBeGreaterThan(0);
    },
  );

  test.each(checks)("$id is tested by a trial", ({ appliesTo }) => {
    expect(trials.some((trial) => appliesTo(trial))).toBe(true);
  });
});

describe("the trials", () => {
  test("have unique names for each interface", () => {
    expect(new Set(trials.map(({ interface: name, name: trial }) => `${trial} ${name}`)).size).toBe(trials.length);
  });

  test.each(trials)(
    "of $name ($interface) look at the request, at its end, and at what the user gets to know",
    (trial) => {
      const areas = checks.filter(({ appliesTo }) => appliesTo(trial)).map(({ id }) => id.split("/")[0]);
      expect(areas).toEqual(expect.arrayContaining(["request", "process"]));
      expect(areas.some((area) => ["user", "reading", "cancel"].includes(area ?? ""))).toBe(true);
    },
  );

  test("name the check for reading the result, if it is complete", () => {
    const odd = trials.filter(({ ending, readingCheck }) => (ending === "complete") !== (readingCheck !== undefined));
    expect(odd.map(({ name }) => name)).toEqual([]);
  });
});

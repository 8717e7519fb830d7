import { describe, expect, test } from "vitest";
import { comparisonProbes, repeatComparedProbes, addNarrowedProbe } from "./comparison-probes.ts";

const pivot = { repository: "github.com/a/b.c++", path: "src/d.e.ts", word: "needle" };
const file = String.raw`repo:^github\.com/a/b\.c\+\+$ file:^src/d\.e\.ts$`;
const probes = comparisonProbes({ ...pivot, swappedWords: ["hay", "needle"] });
const asked = new Map(probes.map(({ id, parameters }) => [id, parameters]));

describe("the searches of one file", () => {
  test("have unique ids", () => {
    expect(asked.size).toBe(probes.length);
  });

  test("name exactly one file, with special characters of patterns escaped", () => {
    expect(probes.filter(({ parameters }) => !parameters.q.startsWith(`${file} `))).toEqual([]);
  });

  test("name a file with spaces and with letters of any script", () => {
    const [first] = comparisonProbes({ repository: "my repository", path: "größe/日本 語.md", word: "needle" });
    expect(first?.parameters.q).toBe(String.raw`repo:^my\srepository$ file:^größe/日本\s語\.md$ needle count:all`);
  });

  test.each([
    ["pivot", { q: `${file} needle count:all` }],
    ["pivot-v", { q: `${file} needle count:all`, v: "V3" }],
    ["pivot-cm", { q: `${file} needle count:all`, cm: "true" }],
    ["pivot-cl-6", { q: `${file} needle count:all`, cm: "true", cl: "6" }],
    ["pivot-cl-alone", { q: `${file} needle count:all`, cl: "3" }],
    ["pivot-count-1", { q: `${file} needle count:1` }],
    ["together", { q: `${file} nee.le count:all`, v: "V3", t: "regexp", cm: "true", cl: "2", display: "1000" }],
    ["together-without-cm-cl", { q: `${file} nee.le count:all`, v: "V3", t: "regexp", display: "1000" }],
    ["together-without-v-t", { q: `${file} nee.le count:all`, cm: "true", cl: "2", display: "1000" }],
    ["dotted", { q: `${file} nee.le count:all` }],
    ["dotted-regexp", { q: `${file} nee.le count:all`, t: "regexp" }],
    ["filter-standard", { q: `${file} nee.le count:all patternType:regexp`, t: "standard" }],
    ["swapped-keyword", { q: `${file} hay needle count:all`, cm: "true", cl: "2", t: "keyword" }],
  ])("%s asks what its name says", (id, parameters) => {
    expect(asked.get(id)).toEqual(parameters);
  });

  test("use each parameter, and the same search without it while others are set", () => {
    const together = asked.get("together") ?? {};
    for (const name of ["v", "t", "cl"]) {
      const expected = Object.fromEntries(Object.entries(together).filter(([other]) => other !== name));
      expect(asked.get(`together-without-${name}`)).toEqual(expected);
    }
  });

  test("use the pattern type under which a text with a dot finds something", () => {
    const typeOf = (dottedText?: string) =>
      comparisonProbes({ ...pivot, ...(dottedText === undefined ? {} : { dottedText }) }).find(
        ({ id }) => id === "together",
      )?.parameters.t;
    expect([typeOf("needle."), typeOf()]).toEqual(["standard", "regexp"]);
  });

  test("are repeated if others are compared with them and no commits are named, the plain one last", () => {
    const repeated = repeatComparedProbes(probes, false);
    expect(repeated.map(({ id }) => id)).toEqual([
      "pivot-cl-0-again",
      "together-again",
      "together-without-v-again",
      "together-without-t-again",
      "together-without-v-t-again",
      "together-without-cl-again",
      "together-without-cm-cl-again",
      "together-filter-again",
      "dotted-again",
      "filter-again",
      "filter-of-standard-again",
      "swapped-again",
      "swapped-filter-again",
      "swapped-filter-of-standard-again",
      "pivot-again",
    ]);
    for (const { id, parameters } of repeated) {
      expect(parameters).toEqual(asked.get(id.replace("-again", "")));
    }
  });

  test("are not repeated if commits are named, except those for a word", () => {
    expect(repeatComparedProbes(probes, true).map(({ id }) => id)).toEqual(["together-again", "pivot-again"]);
  });

  test("are narrowed by a suggested filter, twice, between two plain ones", () => {
    const [pivotProbe] = probes;
    const repeated = repeatComparedProbes(probes, false);
    const last = pivotProbe === undefined ? [] : addNarrowedProbe(pivotProbe, "lang:go", repeated);
    const narrowed = { q: `${file} needle count:all lang:go` };
    expect(last.map(({ id }) => id)).toEqual([
      "pivot-narrowed",
      ...repeated.slice(0, -1).map(({ id }) => id),
      "pivot-narrowed-again",
      "pivot-again",
    ]);
    expect([last[0]?.parameters, last.at(-2)?.parameters]).toEqual([narrowed, narrowed]);
  });

  test("swap no words if there are none", () => {
    expect(comparisonProbes(pivot).filter(({ id }) => id.startsWith("swapped"))).toEqual([]);
  });

  test("differ from another one in one parameter or filter, and in `cl` where it has no effect without `cm`", () => {
    const texts = probes.map(({ parameters: { q, cl, ...parameters } }) => {
      const effective = cl === undefined || parameters.cm === undefined ? parameters : { ...parameters, cl };
      return [...q.split(" "), ...Object.entries(effective).map(([name, value]) => `${name}=${value}`)];
    });
    const distance = (one: readonly string[], other: readonly string[]): number =>
      new Set([...one, ...other]).size - Math.min(new Set(one).size, new Set(other).size);
    const lonely = texts.filter((one) => !texts.some((other) => other !== one && distance(one, other) <= 1));
    expect(lonely).toEqual([]);
  });
});

import { describe, expect, test } from "vitest";
import { comparisonProbes, narrowPivot, repeatComparedProbes } from "./comparison-probes.ts";

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
    ["pivot-cl-6", { q: `${file} needle count:all`, cm: "true", cl: "6", "max-line-len": "-1" }],
    ["pivot-count-1", { q: `${file} needle count:1` }],
    ["together", { q: `${file} nee.le count:all`, v: "V3", t: "regexp", cm: "true", cl: "2", display: "1000" }],
    ["together-without-cm-cl", { q: `${file} nee.le count:all`, v: "V3", t: "regexp", display: "1000" }],
    ["together-without-v-t", { q: `${file} nee.le count:all`, cm: "true", cl: "2", display: "1000" }],
    [
      "together-filter-without-cl",
      { q: `${file} nee.le count:all patternType:regexp`, v: "V3", cm: "true", display: "1000" },
    ],
    ["dotted", { q: `${file} nee.le count:all` }],
    ["dotted-regexp", { q: `${file} nee.le count:all`, t: "regexp" }],
    ["filter", { q: `${file} nee.le count:all patternType:regexp` }],
    [
      "swapped-keyword",
      {
        q: `${file} hay needle count:all`,
        v: "V3",
        cm: "true",
        cl: "2",
        "max-line-len": "1000",
        display: "1000",
        t: "keyword",
      },
    ],
  ])("%s asks what its name says", (id, parameters) => {
    expect(asked.get(id)).toEqual(parameters);
  });

  test("use each parameter, and the same search without it while others are set", () => {
    const together = asked.get("together") ?? {};
    for (const name of ["t", "cl", "cm"]) {
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
      "together-without-t-again",
      "together-without-v-t-again",
      "together-without-cl-again",
      "together-without-cm-cl-again",
      "together-filter-again",
      "dotted-again",
      "filter-again",
      "swapped-again",
      "swapped-filter-again",
      "pivot-again",
    ]);
    for (const { id, parameters } of repeated) {
      expect(parameters).toEqual(asked.get(id.replace("-again", "")));
    }
  });

  test("are not repeated if commits are named, except two", () => {
    expect(repeatComparedProbes(probes, true).map(({ id }) => id)).toEqual(["together-again", "pivot-again"]);
  });

  test("are narrowed by a suggested filter", () => {
    const narrowed = probes.slice(0, 1).map((probe) => narrowPivot(probe, "lang:go"));
    expect(narrowed).toMatchObject([{ id: "pivot-narrowed", parameters: { q: `${file} needle count:all lang:go` } }]);
  });

  test("swap no words if there are none, and then set two pattern types for another text", () => {
    const ids = comparisonProbes(pivot).map(({ id }) => id);
    expect(ids.filter((id) => id.startsWith("swapped"))).toEqual([]);
    expect([ids.includes("filter-standard"), asked.has("filter-standard")]).toEqual([true, false]);
  });

  test("differ from another one in one parameter or filter that has an effect", () => {
    const hasEffect = (name: string, value: string, { cm }: (typeof probes)[number]["parameters"]): boolean =>
      name === "cl" ? cm !== undefined : `${name}=${value}` !== "max-line-len=-1";
    const texts = probes.map(({ parameters }) => {
      const { q, ...others } = parameters;
      const pairs = Object.entries(others).filter(([name, value]) => hasEffect(name, value, parameters));
      return [...q.split(" "), ...pairs.map((pair) => pair.join("="))];
    });
    const distance = (one: readonly string[], other: readonly string[]): number =>
      new Set([...one, ...other]).size - Math.min(new Set(one).size, new Set(other).size);
    const lonely = texts.filter((one) => !texts.some((other) => other !== one && distance(one, other) <= 1));
    expect(lonely).toEqual([]);
  });
});

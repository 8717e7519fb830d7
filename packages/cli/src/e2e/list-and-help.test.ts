import { unspecifiedBehaviour, ruleIds, allRequirements } from "@assay/contract";
import { listFaults } from "@assay/reference-server";
import { profileNames } from "@assay/runner";
import { describe, expect, test } from "vitest";
import { assay } from "../testing/assay-process.ts";
import { callAssay } from "../testing/call-assay.ts";
import { temporaryFolder } from "../testing/temporary-folder.ts";

const cwd = temporaryFolder();

const variants = [
  { flags: [], ids: ruleIds },
  { flags: ["--faults"], ids: listFaults().map(({ id }) => id) },
  { flags: ["--coverage"], ids: allRequirements.map(({ id }) => id) },
  { flags: ["--unspecified"], ids: unspecifiedBehaviour.map(({ id }) => id) },
  { flags: ["--profiles"], ids: profileNames },
].map(({ flags, ids }) => ({ name: ["list", ...flags].join(" "), flags, ids }));

describe("assay list", () => {
  test.each(variants)("$name names every entry", async ({ flags, ids }) => {
    const { code, out, err } = await callAssay(["list", ...flags], { cwd });
    expect([code, err]).toEqual([0, ""]);
    expect(ids.filter((id) => !out.includes(id))).toEqual([]);
    expect(Math.max(...out.split("\n").map(({ length }) => length))).toBeLessThanOrEqual(100);
  });

  test.each(variants)("$name --json gives the same entries to programs", async ({ flags, ids }) => {
    const { code, out } = await callAssay(["list", "--json", ...flags], { cwd });
    const entries: readonly { readonly id?: string; readonly name?: string }[] = JSON.parse(out);
    expect([code, entries.map(({ id, name }) => id ?? name)]).toEqual([0, ids]);
  });
});

describe("assay list WORD", () => {
  const list = async (...args: readonly string[]) => callAssay(["list", ...args], { cwd });

  test("shows rules, faults and unspecified that have all words in their id or text, and nothing else", async () => {
    const { code, out } = await list("--json", "Filter", "count");
    const found: Readonly<Record<string, readonly { readonly id: string; readonly title: string }[]>> = JSON.parse(out);
    expect([code, Object.keys(found)]).toEqual([0, ["rules", "faults", "unspecified"]]);
    expect(found["rules"]?.map(({ id }) => id)).toContain("stream/filter-count-fits-matches");
    const texts = Object.values(found).flatMap((rows) => rows.map(({ id, title }) => `${id} ${title}`.toLowerCase()));
    expect(texts.filter((text) => !text.includes("filter") || !text.includes("count"))).toEqual([]);
    expect(texts.length).toBeLessThan(100);
  });

  test("names the kind of each row", async () => {
    const { out } = await list("two", "fields");
    expect(out).toMatch(/^stream\/field-order +unspecified, silent/mu);
    expect(out).toMatch(/^stream\/two-fields +rule, stated/mu);
  });

  test("shows faults alone with --faults", async () => {
    const { code, out } = await list("--faults", "--json", "comment");
    const found: unknown = JSON.parse(out);
    expect([code, found]).toEqual([
      0,
      { faults: expect.arrayContaining([expect.objectContaining({ id: "comment" })]) },
    ]);
  });

  test.each([
    { args: ["two-fieldz"], says: "no id or text contains `two-fieldz`; did you mean `stream/two-fields`?" },
    { args: ["--faults", "comment", "zzz"], says: "no id or text contains `comment zzz`" },
    { args: ["--profiles", "gate"], says: "remove --profiles, or the words" },
  ])("refuses $args", async ({ args, says }) => {
    expect(await list(...args)).toMatchObject({ code: 2, out: "", err: expect.stringContaining(says) });
  });
});

describe("help", () => {
  test.each([["--help"], ["help"], ["help", "run"]])("is there for %s", async (...args) => {
    expect(await callAssay(args, { cwd })).toMatchObject({ code: 0, out: expect.stringContaining("Usage: assay") });
  });

  test("shows the same flags with --all, however it is asked for", async () => {
    const [asked, named] = [
      await callAssay(["run", "--help", "--all"], { cwd }),
      await callAssay(["help", "run", "--all"], { cwd }),
    ];
    expect(named).toEqual(asked);
    expect(asked.out).toContain("--rules-as-of");
  });

  test("is shown without a command, which is a usage error", async () => {
    expect(await callAssay([], { cwd })).toMatchObject({
      code: 2,
      out: "",
      err: expect.stringContaining("Usage: assay"),
    });
  });

  test.each([
    {
      args: ["--version"],
      code: 0,
      out: expect.stringMatching(
        /^assay 0\.1\.0 +commit [0-9a-f]{12}\ncontract [0-9a-f]{12} +\d+ rules.*\nk6 .*\nnode \d+/u,
      ),
    },
    { args: ["list", "--help"], code: 0, out: expect.stringContaining("Examples:") },
    { args: [], code: 2, out: "" },
  ])("of `assay $args` ends a process of its own with $code", async ({ args, code, out }) => {
    expect(await assay(args, { cwd })).toMatchObject({ code, out });
  });
});

import { gapRegister, ruleIds, allSentences } from "@assay/contract";
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
  { flags: ["--coverage"], ids: allSentences.map(({ id }) => id) },
  { flags: ["--gaps"], ids: gapRegister.map(({ id }) => id) },
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

describe("help", () => {
  test.each([["--help"], ["help"], ["help", "run"]])("is there for %s", async (...args) => {
    expect(await callAssay(args, { cwd })).toMatchObject({ code: 0, out: expect.stringContaining("Usage: assay") });
  });

  test("is shown for no command at all, which is no success", async () => {
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

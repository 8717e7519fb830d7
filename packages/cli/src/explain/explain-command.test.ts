import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ruleIds } from "@assay/contract";
import { describe, expect, test } from "vitest";
import { callAssay } from "../testing/call-assay.ts";
import { temporaryFolder } from "../testing/temporary-folder.ts";
import { describeRulePage } from "./describe-rule-page.ts";

const cwd = temporaryFolder();
const call = (...args: readonly string[]) => callAssay(["explain", ...args], { cwd });

describe("the page of a rule", () => {
  test("is printed without a run", async () => {
    const { code, out, err } = await call("done-is-last");
    expect([code, err]).toEqual([0, ""]);
    for (const part of [
      "stream/done-is-last  (stated)",
      "Requirements",
      "search-stream §6",
      "Why it matters",
      "An example that passes",
      String.raw`event: done\ndata: {}\n\n`,
      "An example that fails",
      "bytes after `done`",
      "A proxy with a timeout",
      "What to do",
      "version 0.1.0",
    ]) {
      expect(out).toContain(part);
    }
    expect(out).not.toContain("In your newest run");
  });

  test("as JSON has the same", async () => {
    const { out } = await call("stream/done-is-last", "--json");
    expect(JSON.parse(out)).toEqual(describeRulePage("stream/done-is-last"));
  });

  test.each([
    ["done-is-lost", "did you mean `stream/done-is-last`?"],
    ["created-at-is-stable", "is ambiguous; use one of"],
  ])("of `%s` is not there", async (name, says) => {
    const { code, out, err } = await call(name);
    expect([code, out]).toEqual([2, ""]);
    expect(err).toContain(says);
  });

  test("ends with the command for the newest run if there is one; a run alone is not enough", async () => {
    mkdirSync(join(cwd, "reports/runs/20260131T120000Z-1a2b3c"), { recursive: true });
    writeFileSync(join(cwd, "reports/runs/20260131T120000Z-1a2b3c/manifest.json"), "{}");
    expect((await call("done-is-last")).out).toContain("$ assay explain latest stream/done-is-last");
    const { code, err } = await call("20260131T120000Z-1a2b3c");
    expect([code, err]).toEqual([2, expect.stringContaining("specify the rule too")]);
  });

  test.each(ruleIds)("of %s has requirements, a reason and an example", (id) => {
    const { requirements, why, example } = describeRulePage(id);
    expect(requirements.length).toBeGreaterThan(0);
    expect(why).toMatch(/\.$/u);
    expect(example).toBeDefined();
  });
});

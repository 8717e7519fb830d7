import { readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { RunResult } from "@assay/results";
import { describe, expect, test } from "vitest";
import { callAssay } from "../testing/call-assay.ts";

const folder = fileURLToPath(new URL("../../fixtures/har/", import.meta.url));
const files = readdirSync(folder).filter((name) => name.endsWith(".har"));

async function judged(file: string): Promise<{ readonly code: number | null; readonly result: RunResult }> {
  const { code, out } = await callAssay(["check", "--json", file], { cwd: folder });
  const [result]: readonly RunResult[] = JSON.parse(out);
  return { code, result: result! };
}

/** Rules that fail or warn; the schema of an answer may say the same as the rule about one of its members. */
const speaking = ({ verdicts }: RunResult, outcome: "failed" | "warned"): readonly string[] =>
  verdicts
    .filter(({ verdict, rule }) => verdict.outcome === outcome && !rule.endsWith("/responses-fit-openapi"))
    .map(({ rule }) => rule);

const named = (outcome: string): readonly string[] => files.filter((name) => name.startsWith(`${outcome}.`));

/** `violates.legacy.status-is-listed.done.har` names the rule `legacy/status-is-listed`. */
const ruleOf = (file: string): string => file.split(".").slice(1, 3).join("/");

describe("recorded polling histories", () => {
  test("are many, and each name says what is expected", () => {
    expect(files.length).toBeGreaterThanOrEqual(50);
    expect(files.filter((name) => !/^(?:conforms|violates|warns|incomplete)\./u.test(name))).toEqual([]);
  });

  test.each(named("conforms"))("%s", async (file) => {
    const { code, result } = await judged(file);
    expect([speaking(result, "failed"), speaking(result, "warned"), result.incomplete, code]).toEqual([[], [], [], 0]);
    expect(result.counts.failed).toBe(0);
    expect(result.counts.passed).toBeGreaterThan(0);
  });

  test.each(named("violates"))("%s", async (file) => {
    const { code, result } = await judged(file);
    expect([speaking(result, "failed"), code]).toEqual([[ruleOf(file)], 1]);
  });

  test.each(named("warns"))("%s", async (file) => {
    const { code, result } = await judged(file);
    expect([speaking(result, "failed"), speaking(result, "warned"), code]).toEqual([[], [ruleOf(file)], 0]);
  });

  test.each(named("incomplete"))("%s", async (file) => {
    const { code, result } = await judged(file);
    expect([speaking(result, "failed"), code, result.incomplete.length > 0]).toEqual([[], 3, true]);
  });
});

import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { RunResult } from "@assay/results";
import { expect, test } from "vitest";
import { callAssay } from "../testing/call-assay.ts";
import { sharedRepository } from "../testing/git-repository.ts";
import { temporaryFolder } from "../testing/temporary-folder.ts";

const cwd = temporaryFolder();
const repository = sharedRepository();
const run = (out: string, ...args: readonly string[]) =>
  callAssay(["run", "-q", "--repo", repository, "--out", out, ...args], { cwd });
const read = (...path: readonly string[]): string => readFileSync(join(cwd, ...path), "utf8");
const linesOf = (...path: readonly string[]): readonly string[] =>
  read(...path)
    .trimEnd()
    .split("\n");

test("a run ends at the first rule that failed, and is judged again to the same verdicts", async () => {
  const { code, out } = await run("one", "--fault", "comment", "--bail");
  expect([code, linesOf("one", "exchanges.ndjson").length]).toEqual([1, 1]);
  expect(out).toContain(
    "\nincomplete bail: --bail stopped the run, because 1 rule failed: stream/two-fields\nfailed stream/two-fields ",
  );
  const verdicts = read("one", "verdicts.json");
  expect((await callAssay(["judge", "one", "-q"], { cwd })).code).toBe(1);
  expect(read("one", "verdicts.json")).toBe(verdicts);
});

test("it continues until the given number of rules has failed", async () => {
  const { code } = await run("two", "--fault", "comment", "--bail", "2", "--interface", "stream", "--profile", "smoke");
  expect(code).toBe(1);
  expect(JSON.parse(read("two", "footer.json"))).toMatchObject({ ended: "complete" });
});

test("a failure in a conversation stops it after that step, and the conversations of the run are removed", async () => {
  const rules = ["legacy/source-fits-schema", "legacy/delete-is-accepted", "stream/two-fields"];
  const { code } = await run("asked", "--fault", "legacy-source-malformed", "--bail", "--rule", rules.join(","));
  expect(code).toBe(1);
  expect(JSON.parse(read("asked", "footer.json"))).toMatchObject({ ended: "stopped", cause: "bail" });
  const { verdicts }: RunResult = JSON.parse(read("asked", "verdicts.json"));
  expect(verdicts.slice(0, 2).map(({ rule, verdict: { outcome } }) => [rule, outcome])).toEqual([
    ["stream/two-fields", "passed"],
    ["legacy/source-fits-schema", "failed"],
  ]);
  const events: readonly { readonly event: string; readonly key: string }[] = linesOf("asked", "ledger.ndjson").map(
    (line) => JSON.parse(line),
  );
  const keysOf = (event: string) => new Set(events.flatMap((each) => (each.event === event ? [each.key] : [])));
  expect(keysOf("deleted").size).toBeGreaterThan(0);
  expect(keysOf("deleted")).toEqual(keysOf("made"));
});

test("a server that keeps the contract is tested as without it", async () => {
  const smoke = ["--profile", "smoke", "--interface", "stream", "--seed", "1"] as const;
  await run("without", ...smoke);
  expect((await run("with", "--bail", ...smoke)).code).toBe(0);
  expect(linesOf("with", "exchanges.ndjson")).toHaveLength(linesOf("without", "exchanges.ndjson").length);
});

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { listKeptFiles, openKeptFile } from "@assay/evidence";
import type { ExchangeRecord } from "@assay/evidence";
import type { LoadResult } from "@assay/results";
import { afterEach, describe, expect, test } from "vitest";
import { callAssay } from "../testing/call-assay.ts";
import { sharedRepository } from "../testing/git-repository.ts";
import { hasK6 } from "../testing/has-k6.ts";
import { serverHost } from "../testing/hosted-server.ts";
import {
  backAtWork,
  olderVersion,
  type Replicas,
  startBackwardReplica,
  startSlowReplica,
} from "../testing/replicas.ts";
import { temporaryFolder } from "../testing/temporary-folder.ts";

const cwd = temporaryFolder();
const repository = sharedRepository();
const startServer = serverHost();
const open: Replicas[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((target) => target.close()));
});

async function load(out: string, start: (serverUrl: string) => Promise<Replicas>, flags: readonly string[] = []) {
  const server = await startServer({ repos: [repository] });
  const front = await start(server.url);
  open.push(front);
  const few = ["--rate", "2", "--duration", "3s", "--warmup", "0s", "--seed", "1", "--questions", "20"];
  const args = [
    "--url",
    front.url,
    ...few,
    "--interface",
    "legacy",
    "--poll-interval",
    "100ms",
    "--no-canary",
    ...flags,
    "--out",
    out,
  ];
  const env = { PATH: process.env["PATH"] ?? "", ASSAY_TOKEN: server.token };
  await callAssay(["load", "conversation-poll", ...args], { cwd, env });
  const result: LoadResult = JSON.parse(readFileSync(join(cwd, out, "load.json"), "utf8"));
  expect(await server.conversationCount()).toBe(0);
  return { result, played: front.played() };
}

/** Reads of each conversation, in the order of their answers. */
function readsIn(out: string): readonly (readonly ExchangeRecord[])[] {
  const reads = new Map<string, ExchangeRecord[]>();
  for (const path of listKeptFiles(join(cwd, out, "exchanges"))) {
    const file = openKeptFile(path);
    for (const entry of file.entries()) {
      if (entry.kind === "exchange" && entry.exchange.record.operation === "get") {
        const { conversation = "" } = entry;
        reads.set(conversation, [...(reads.get(conversation) ?? []), entry.exchange.record]);
      }
    }
    file.close();
  }
  return [...reads.values()].map((all) => all.toSorted((a, b) => a.times.endedAtMicros - b.times.endedAtMicros));
}

/** Whether some read was overtaken by another one that was sent after it. */
const hasOvertaken = (reads: readonly ExchangeRecord[]): boolean =>
  reads.some((read, index) =>
    reads.slice(index + 1).some((later) => later.times.sentAtMicros < read.times.sentAtMicros),
  );

const sessions = (reads: readonly ExchangeRecord[]): number => new Set(reads.map(({ session }) => session)).size;

const title = hasK6() ? "" : " (skipped: no k6)";

describe.skipIf(!hasK6())(`several read each conversation of a load${title}`, () => {
  test.each([
    { name: "back", backward: backAtWork, rule: "legacy/status-transitions-are-listed", outcome: "failed" },
    { name: "older", backward: olderVersion, rule: "legacy/reads-are-current", outcome: "warned" },
  ])("a target that goes back between two reads is found: $rule", async ({ name, backward, rule, outcome }) => {
    const { result, played } = await load(name, (url) => startBackwardReplica(url, backward));
    expect(played).toBeGreaterThan(0);
    expect(result.judgement?.rules.find((one) => one.rule === rule)).toMatchObject({ outcome });
    expect(readsIn(name).map(sessions)).toContain(2);
    // Whatever else a busy machine makes of the run.
    expect(result.outcome === "failed").toBe(outcome === "failed");
  });

  test("a target whose answers overtake each other is not: both are right", async () => {
    const { result, played } = await load("overtaken", startSlowReplica);
    expect(played).toBeGreaterThan(0);
    const reads = readsIn("overtaken");
    // On a busy machine one may be overtaken of itself.
    expect(reads.filter(hasOvertaken).length).toBeGreaterThanOrEqual(played);
    expect(reads.flat().filter(({ request }) => request.url.includes("#"))).toEqual([]);
    expect({ broken: result.judgement?.broken, violations: result.violations }).toEqual({ broken: [], violations: {} });
    expect(result.judgement?.rules.filter(({ outcome }) => outcome === "warned")).toEqual([]);
    expect(result.plan.conversation?.pollers).toBe(2);
  });

  test("one of them is enough where that is asked for", async () => {
    const { result } = await load("one", (url) => startBackwardReplica(url, olderVersion), ["--pollers", "1"]);
    expect(result.plan.conversation?.pollers).toBe(1);
    expect(new Set(readsIn("one").map(sessions))).toEqual(new Set([1]));
  });
});

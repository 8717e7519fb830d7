import { join } from "node:path";
import { openLedger } from "@assay/runner";
import type { Ledger } from "@assay/runner";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { writeLoadRunFile } from "../load/load-run-file.ts";
import { askQuestion } from "../testing/ask-question.ts";
import { callAssay } from "../testing/call-assay.ts";
import { sharedRepository } from "../testing/git-repository.ts";
import { serverHost } from "../testing/hosted-server.ts";
import type { HostedServer } from "../testing/hosted-server.ts";
import { temporaryFolder } from "../testing/temporary-folder.ts";
import { cleanUpBothTargets } from "./clean-up-ledger.ts";

const cwd = temporaryFolder();
const repos = [sharedRepository()];
const startServer = serverHost();
const marker = "20260102T030405Z-abcdef";

let [a, b]: HostedServer[] = [];
let ledger: Ledger;
let number = 0;

beforeEach(async () => {
  [a, b] = await Promise.all([startServer({ repos }), startServer({ repos })]);
  number += 1;
  ledger = await openLedger(`${cwd}/ledger-${number}`);
});
afterEach(async () => {
  await Promise.all([a?.close(), b?.close(), ledger.close()]);
});

/** Asks a question on a server; its conversations are numbered from 1. */
async function ask(server: HostedServer | undefined, question: string): Promise<void> {
  expect(await askQuestion(server?.url ?? "", server?.token ?? "", question)).toBe(true);
}

async function note(id: string | undefined): Promise<void> {
  const key = await ledger.recordIntent({ marker, interface: "legacy", credential: "access-token" });
  await (id === undefined ? undefined : ledger.recordCreated(key, id));
}

const on = (server: HostedServer | undefined, token = server?.token ?? "") => ({
  target: { url: server?.url ?? "", embedded: true, tokens: { "access-token": token } },
  env: {},
  extraHeaders: [],
  entries: ledger.entries(),
  limits: "local" as const,
  deadlineMs: 240_000,
});

const counts = async (): Promise<readonly (number | undefined)[]> => [
  await a?.conversationCount(),
  await b?.conversationCount(),
];

const loadRun = { assay: "load-run", version: 1, runId: marker, embedded: false } as const;
const mine = `Why? [assay run=${marker}]`;

describe("a load run that was killed", () => {
  test.each([
    { name: "on one target", targets: () => [a] },
    { name: "on two targets", targets: () => [a, b] },
  ])("$name is found by `assay cleanup`, without a manifest", async ({ targets }) => {
    const home = temporaryFolder();
    const folder = join(home, "reports/runs", marker);
    const servers = targets();
    await Promise.all(servers.map((server) => ask(server, mine)));
    await ledger.close();
    ledger = await openLedger(folder);
    await note("1");
    const urls = servers.map((server) => server?.url ?? "");
    await writeLoadRunFile(folder, { assay: "load-run", version: 1, runId: marker, targets: urls, embedded: false });
    const env = { ASSAY_TOKEN: a?.token ?? "", ASSAY_AGAINST_TOKEN: b?.token ?? "" };
    const { code, out } = await callAssay(["cleanup"], { cwd: home, env });
    expect([code, await counts()]).toEqual([0, [0, 0]]);
    expect(out).toBe(
      `reports/runs/${marker}: deleted legacy conversation 1\n1 conversation deleted, 0 remaining, in 1 run\n`,
    );
    expect((await callAssay(["cleanup"], { cwd: home, env })).out).toBe(
      "0 conversations deleted, 0 remaining, in 1 run\n",
    );
  });

  const headFolders = ["unloaded-head", "unloaded-b"];
  test.each(headFolders)(
    "is cleaned up with the questions in %s, each with the token of its target",
    async (ofHead) => {
      const home = temporaryFolder();
      const [first, second] = [a?.url ?? "", b?.url ?? ""];
      const run = join(home, "reports/runs", marker);
      const ledgers = [
        { name: "unloaded", targets: [first] },
        { name: ofHead, targets: [first, second] },
      ];
      await Promise.all([ask(a, mine), ask(b, mine)]);
      for (const { name, targets } of ledgers) {
        await ledger.close();
        ledger = await openLedger(join(run, name));
        await note("1");
        await writeLoadRunFile(join(run, name), { ...loadRun, targets });
      }
      await writeLoadRunFile(run, { ...loadRun, targets: [first, second] });
      const env = { ASSAY_TOKEN: a?.token ?? "", ASSAY_AGAINST_TOKEN: b?.token ?? "" };
      const { code, out } = await callAssay(["cleanup"], { cwd: home, env });
      expect([code, await counts()]).toEqual([0, [0, 0]]);
      expect(out).toContain(`reports/runs/${marker}/${ofHead}: deleted legacy conversation 1`);
    },
  );

  test("whose targets ended with it has left nothing", async () => {
    const home = temporaryFolder();
    const folder = join(home, "reports/runs", marker);
    await ledger.close();
    ledger = await openLedger(folder);
    await note("1");
    const targets = ["http://127.0.0.1:9"];
    await writeLoadRunFile(folder, { assay: "load-run", version: 1, runId: marker, targets, embedded: true });
    const { code, out } = await callAssay(["cleanup"], { cwd: home });
    expect([code, out]).toEqual([0, "0 conversations deleted, 0 remaining, in 1 run\n"]);
  });
});

describe("cleaning up after a comparison", () => {
  test("removes the conversations of the run on both targets, although they have equal numbers, and no others", async () => {
    await ask(a, mine);
    await ask(a, "Whose is this?");
    await ask(b, mine);
    await ask(b, mine);
    for (const id of ["1", "1", "2"]) {
      await note(id);
    }
    const end = await cleanUpBothTargets(on(a), { ...on(b), ledger });
    expect([end.leftovers, await counts()]).toEqual([[], [1, 0]]);
    expect(ledger.entries().map(({ state }) => state)).toEqual(["deleted", "deleted", "deleted"]);
  });

  test("finds conversations on both whose creation had no response", async () => {
    await ask(a, mine);
    await ask(b, mine);
    await note(undefined);
    await note(undefined);
    const end = await cleanUpBothTargets(on(a), { ...on(b), ledger });
    expect([end.leftovers, await counts()]).toEqual([[], [0, 0]]);
  });

  test("reports a conversation that one of them does not delete", async () => {
    await ask(b, mine);
    await note("1");
    const end = await cleanUpBothTargets(on(a), { ...on(b, "sgp_0123456789abcdef0123456789abcdef01234567"), ledger });
    expect(end.leftovers).toEqual([{ label: "legacy conversation 1", reason: expect.stringContaining("status 401") }]);
    expect([await counts(), ledger.entries()[0]?.state]).toEqual([[0, 1], "open"]);
  });

  test("reports a conversation that neither of them has with the mark of the run", async () => {
    await ask(a, "Whose is this?");
    await ask(b, "And this?");
    await note("1");
    const end = await cleanUpBothTargets(on(a), { ...on(b), ledger });
    expect([end.leftovers.length, await counts()]).toEqual([1, [1, 1]]);
  });
});

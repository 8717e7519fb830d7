import { ruleIds } from "@assay/contract";
import type { ExchangeDraft } from "@assay/evidence";
import { recordDraft } from "@assay/evidence";
import { describe, expect, test } from "vitest";
import type { ConverseOptions } from "./converse.ts";
import { startConversationServer } from "./testing/conversation-server.ts";
import { driveAgainst, runOnce, testRun } from "./testing/driven-run.ts";

const mark = `[assay run=${testRun}]`;

const withProbe = (drafts: readonly ExchangeDraft[], probe: string): readonly ExchangeDraft[] =>
  drafts.filter((draft) => draft.probe === probe);

describe("failing calls", () => {
  test("end the run after three in a row, and created conversations are searched for", async () => {
    let isBroken = false;
    const { end, left, drafts } = await runOnce(
      { interfaces: new Set(["legacy"]), rules: new Set(ruleIds) },
      {
        before: ({ operation, url }) => {
          isBroken ||= operation === "list";
          return isBroken && !url.searchParams.has("page_first") && operation === "list" ? "reset" : undefined;
        },
      },
    );
    expect(end.stop).toMatchObject({ cause: "broken-calls" });
    expect(drafts.map(({ probe }) => probe)).not.toContain("list-sort");
    expect([left, end.cleanUp.leftovers]).toEqual([[], []]);
  });

  test.each(["legacy", "current"] as const)(
    "a creation that %s did and did not answer is found by its mark",
    async (name) => {
      const { end, left, drafts } = await runOnce(
        { interfaces: new Set([name]), credentials: new Set(), rules: new Set([`${name}/create-is-accepted`]) },
        { after: ({ operation }) => (operation === "create" ? "reset" : undefined) },
      );
      expect(end.cleanUp).toMatchObject({ deletedNames: [expect.stringContaining(name)], leftovers: [] });
      expect([left, withProbe(drafts, "cleanup").length > 0]).toEqual([[], true]);
    },
  );

  test("end the run if an exchange cannot be recorded, and created conversations are still deleted", async () => {
    await using server = await startConversationServer();
    const full = new Error("disk-full");
    let written = 0;
    const writer: ConverseOptions["writer"] = {
      writeExchange: (draft) =>
        (written += 1) > 4 ? Promise.reject(full) : Promise.resolve(recordDraft(draft).record),
    };
    await expect(driveAgainst(server.url, { writer })).rejects.toBe(full);
    expect(server.conversations.size).toBe(0);
  });

  test("include a reason to stop between two steps: skipped probes are recorded, and the clean-up runs", async () => {
    let asked = 0;
    const { end, left, drafts } = await runOnce({
      rules: new Set(ruleIds),
      reasonToStop: async () => ((asked += 1) === 2 ? "enough failed" : undefined),
    });
    expect([end.stop, left, asked]).toEqual([{ cause: "bail", reason: "enough failed" }, [], 2]);
    expect(drafts.map(({ probe }) => probe)).not.toContain("list-sort");
    expect(end.skippedProbes).toContainEqual(
      expect.objectContaining({ probe: "list-sort", cause: "bail", reason: "enough failed" }),
    );
    expect(end.cleanUp.deletedNames.length).toBeGreaterThan(0);
  });

  test("include the end of the time, and the clean-up runs", async () => {
    let asked = 0;
    const { end, left } = await runOnce({ isOverdue: () => (asked += 1) > 40 });
    expect(end.stop).toMatchObject({ cause: "deadline" });
    expect(left).toEqual([]);
  });
});

describe("an interrupt", () => {
  const arrivals = [1, 2, 5, 10, 17, 23, 30, 41, 60];

  test.each(arrivals)("during call %i leaves nothing", async (which) => {
    const controller = new AbortController();
    let calls = 0;
    const { end, left, drafts } = await runOnce(
      { signal: controller.signal },
      {
        before: () => {
          calls += 1;
          (calls === which ? () => controller.abort("SIGINT") : () => undefined)();
          return undefined;
        },
      },
    );
    expect([left, end.cleanUp.leftovers, end.stop]).toEqual([[], [], { cause: "interrupted", reason: "SIGINT" }]);
    // The other calls in flight: reads of both interfaces, four at a time.
    expect(drafts.filter(({ probe }) => probe !== "cleanup").length).toBeLessThan(which + 8);
  });

  test("leaves conversations of other people or without a run", async () => {
    const controller = new AbortController();
    await using server = await startConversationServer({
      after: ({ operation }) => {
        controller.abort("SIGTERM");
        return operation === "create" ? "hang" : undefined;
      },
    });
    const planted = [
      server.plant("my own question"),
      server.plant(`of another run [assay run=20250101T000000Z-ffffff]`),
      server.plant(`a stranger's ${mark}`, "2"),
    ];
    const { end } = await driveAgainst(server.url, { signal: controller.signal });
    expect([...server.conversations.keys()]).toEqual(planted);
    expect(end.cleanUp.leftovers).toEqual([]);
  });

  test("gives the clean-up a deadline of its own", async () => {
    const controller = new AbortController();
    await using server = await startConversationServer({
      before: ({ operation }) => (operation === "get" ? "hang" : undefined),
      after: () => {
        controller.abort("SIGINT");
        return undefined;
      },
    });
    const { end } = await driveAgainst(server.url, { signal: controller.signal, cleanUpDeadlineMs: 300 });
    expect(end.cleanUp.leftovers.map(({ reason }) => reason)).toContain("the time for cleaning up was used up");
  });
});

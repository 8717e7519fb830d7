import { createClient, createRunClock } from "@assay/client";
import { ruleIds } from "@assay/contract";
import type { ExchangeDraft } from "@assay/evidence";
import { recordDraft } from "@assay/evidence";
import { describe, expect, test } from "vitest";
import { conversationLimits } from "./converse/conversation-limits.ts";
import { startConversationServer, testTokens } from "./converse/testing/conversation-server.ts";
import { temporaryFolder, testRun } from "./converse/testing/driven-run.ts";
import { type ContractOptions, runContract, wait } from "./run-contract.ts";
import { draftOf, type ExchangeSketch, goodStream } from "./testing/recorded.ts";

interface Contract {
  /** What the search of that place is answered with, from 0 [a stream without a fault]. */
  readonly answer?: (place: number) => ExchangeSketch;
  readonly options?: Partial<ContractOptions>;
  /** [one that the server knows] */
  readonly token?: string | undefined;
  /** Whether calls and the reference get no response [false]. */
  readonly isSilent?: boolean;
}

const unanswered: ExchangeSketch = { status: 0, failure: { code: "first-byte-timeout", message: "no head in time" } };

const good: ExchangeSketch = { body: goodStream };

/** Runs against a server of conversations and given answers to searches; the interfaces of the exchanges in the order of their recording, and what is left. */
async function contract({ answer = () => good, options = {}, token = testTokens["access-token"], isSilent }: Contract) {
  await using server = await startConversationServer();
  await using folder = await temporaryFolder();
  const clock = createRunClock();
  const client = createClient({ baseUrl: server.url, clock, userAgent: "assay/0.0.1" });
  const recorded: string[] = [];
  const credentials = new Set<string>();
  let searches = 0;
  const run = runContract(
    {
      client: {
        call: (call) => {
          credentials.add(call.credential);
          return isSilent === true ? Promise.resolve(draftOf(unanswered)) : client.call(call);
        },
        describe: (request) => (isSilent === true ? Promise.resolve(draftOf(unanswered)) : client.describe(request)),
        // A search takes longer than a call, so that calls can come between two of them.
        search: async ({ signal, credential }) => {
          searches += 1;
          credentials.add(credential);
          const draft: ExchangeDraft = draftOf(answer(searches - 1));
          await wait(5, signal).catch(() => undefined);
          return draft;
        },
      },
      tokens: { "access-token": token ?? "" },
      sharing: "on",
    },
    {
      rules: ruleIds,
      query: "test",
      limits: conversationLimits("local", { minPollMs: 1 }),
      parallel: 4,
      isBeside: true,
      marker: testRun,
      seed: 1,
      random: () => 0.5,
      folder: folder.path,
      apiDocument: [],
      writer: {
        writeExchange: (draft) => {
          recorded.push(draft.interface);
          return Promise.resolve(recordDraft(draft).record);
        },
        close: () => Promise.reject(new Error("a run does not close what was opened for it")),
      },
      redact: (text) => text,
      clock,
      leftMs: () => 60_000,
      signal: new AbortController().signal,
      ...options,
    },
  );
  const [end] = await Promise.allSettled([run]);
  return { end, recorded, credentials, searches, left: server.conversations.size };
}

const isCall = (name: string): boolean => name === "legacy" || name === "current";

describe("the order of a run", () => {
  test("where that is wanted, conversations are held beside the searches, after the plain one", async () => {
    const { end, recorded, left } = await contract({});
    expect(end).toMatchObject({ status: "fulfilled", value: { ended: "complete" } });
    expect(recorded[0]).toBe("stream");
    expect(recorded.findIndex(isCall)).toBeLessThan(recorded.lastIndexOf("stream"));
    expect(left).toBe(0);
  });

  test.each<readonly [string, Partial<ContractOptions>]>([
    ["that is not wanted", { isBeside: false }],
    ["one search at a time is wanted", { parallel: 1 }],
  ])("where %s, they are held after all searches", async (_what, options) => {
    const { end, recorded } = await contract({ options });
    expect(end).toMatchObject({ status: "fulfilled", value: { ended: "complete" } });
    expect(recorded.findIndex(isCall)).toBeGreaterThan(recorded.lastIndexOf("stream"));
  });

  test("without rules about streams they are all there is", async () => {
    const rules = ruleIds.filter((id) => id.startsWith("current/"));
    const { end, recorded } = await contract({ options: { rules } });
    expect(end).toMatchObject({ status: "fulfilled", value: { ended: "complete" } });
    expect(new Set(recorded)).toEqual(new Set(["current"]));
  });

  test("where the plain search is answered with no stream, they are held after all searches", async () => {
    const { end, recorded } = await contract({ answer: () => ({ status: 404, body: "no such page" }) });
    expect(end).toMatchObject({ status: "fulfilled", value: { ended: "complete" } });
    expect(recorded.findIndex(isCall)).toBeGreaterThan(recorded.lastIndexOf("stream"));
  });
});

describe("where the plain search gets no response in time", () => {
  test("and nothing else does either, nothing more is sent", async () => {
    const { end, recorded } = await contract({ answer: () => unanswered, isSilent: true });
    expect(end).toMatchObject({ status: "fulfilled", value: { ended: "stopped", cause: "broken-searches" } });
    expect(recorded).toEqual(["stream"]);
  });

  test("and calls do, conversations are held", async () => {
    const { end, recorded, left } = await contract({ answer: () => unanswered });
    expect(end).toMatchObject({ status: "fulfilled", value: { ended: "complete" } });
    expect([recorded.some(isCall), left]).toEqual([true, 0]);
  });
});

test("many exchanges may be under way without a warning of Node", async () => {
  const warnings: string[] = [];
  const onWarning = ({ message }: Error): void => void warnings.push(message);
  process.on("warning", onWarning);
  try {
    await contract({ options: { parallel: 20 } });
  } finally {
    process.off("warning", onWarning);
  }
  expect(warnings).toEqual([]);
});

test.each([
  { length: 8, isShortened: false },
  { length: 15, isShortened: false },
  { length: 16, isShortened: true },
])(
  "a run with a token of $length characters completes; its beginning is sent: $isShortened",
  async ({ length, isShortened }) => {
    const { end, credentials } = await contract({ token: "abcdefghijklmnop".slice(0, length) });
    expect(end).toMatchObject({ status: "fulfilled", value: { ended: "complete" } });
    expect([credentials.has("shortened-token"), credentials.has("lengthened-token")]).toEqual([isShortened, true]);
  },
);

describe("when one of both ends early", () => {
  const reset: ExchangeSketch = { failure: { code: "reset", message: "the connection was reset" } };

  test("searches that break off end the run, and what was created is removed", async () => {
    const { end, recorded, left } = await contract({ answer: (place) => (place < 10 ? good : reset) });
    expect(end).toMatchObject({ status: "fulfilled", value: { ended: "stopped", cause: "broken-searches" } });
    expect([recorded.some(isCall), left]).toEqual([true, 0]);
  });

  test("an exchange that cannot be recorded fails the run, and what was created is removed", async () => {
    const full = new Error("disk-full");
    let written = 0;
    const writer: ContractOptions["writer"] = {
      writeExchange: (draft) =>
        (written += 1) > 30 ? Promise.reject(full) : Promise.resolve(recordDraft(draft).record),
      close: () => Promise.reject(full),
    };
    const { end, left } = await contract({ options: { writer } });
    expect([end, left]).toEqual([{ status: "rejected", reason: full }, 0]);
  });

  test("an interrupt ends both", async () => {
    const controller = new AbortController();
    const interrupted = (): ExchangeSketch => {
      controller.abort("SIGINT");
      return good;
    };
    const answer = (place: number): ExchangeSketch => (place === 12 ? interrupted() : good);
    const { end, searches, left } = await contract({ answer, options: { signal: controller.signal } });
    expect(end).toMatchObject({ status: "fulfilled", value: { ended: "interrupted", reason: "SIGINT" } });
    expect(searches).toBeLessThan(20);
    expect(left).toBe(0);
  });
});

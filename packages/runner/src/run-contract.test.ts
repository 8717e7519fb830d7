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
  /** The answer to a search by its position, from 0 [a conforming stream]. */
  readonly answer?: (place: number) => ExchangeSketch;
  readonly options?: Partial<ContractOptions>;
  /** [a valid token] */
  readonly token?: string | undefined;
  /** True if calls and the API reference get no response [false]. */
  readonly isSilent?: boolean;
}

const unanswered: ExchangeSketch = { status: 0, failure: { code: "first-byte-timeout", message: "no head in time" } };

const good: ExchangeSketch = { body: goodStream };

/** Runs against a conversation server and these answers to searches. Returns the interfaces of the exchanges in recorded order, and what remains. */
async function contract({ answer = () => good, options = {}, token = testTokens["access-token"], isSilent }: Contract) {
  await using server = await startConversationServer();
  await using folder = await temporaryFolder();
  const clock = createRunClock();
  const client = createClient({ baseUrl: server.url, clock, userAgent: "assay/0.0.1" });
  const recorded: string[] = [];
  /** The interfaces of the exchanges before each call of `onSearchesSent`. */
  const recordedBefore: string[][] = [];
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
        // A search takes longer than a call, so that calls can occur between two searches.
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
      hasConcurrentConversations: true,
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
      remainingMs: () => 60_000,
      signal: new AbortController().signal,
      onSearchesSent: () => recordedBefore.push([...recorded]),
      ...options,
    },
  );
  const [end] = await Promise.allSettled([run]);
  return { end, recorded, recordedBefore, credentials, searches, left: server.conversations.size };
}

const isCall = (name: string): boolean => name === "legacy" || name === "current";

describe("the order of a run", () => {
  test("with `hasConcurrentConversations`, conversations are concurrent with the searches after the plain one", async () => {
    const { end, recorded, left } = await contract({});
    expect(end).toMatchObject({ status: "fulfilled", value: { ended: "complete" } });
    expect(recorded[0]).toBe("stream");
    expect(recorded.findIndex(isCall)).toBeLessThan(recorded.lastIndexOf("stream"));
    expect(left).toBe(0);
  });

  test.each<readonly [string, Partial<ContractOptions>]>([
    ["`hasConcurrentConversations` is false", { hasConcurrentConversations: false }],
    ["only one search may be in flight", { parallel: 1 }],
  ])("where %s, they are held after all searches", async (_what, options) => {
    const { end, recorded } = await contract({ options });
    expect(end).toMatchObject({ status: "fulfilled", value: { ended: "complete" } });
    expect(recorded.findIndex(isCall)).toBeGreaterThan(recorded.lastIndexOf("stream"));
  });

  test.each([true, false])(
    "the end of the searches is reported before the last calls: `hasConcurrentConversations` is %s",
    async (hasConcurrentConversations) => {
      const { recorded, recordedBefore } = await contract({ options: { hasConcurrentConversations } });
      expect(recordedBefore).toEqual([recorded.slice(0, recordedBefore[0]?.length)]);
      const isStream = (name: string): boolean => name === "stream";
      expect(recordedBefore[0]?.filter(isStream)).toEqual(recorded.filter(isStream));
      expect(recordedBefore[0]?.length).toBeLessThan(recorded.length);
    },
  );

  test("without rules about streams there are only conversations", async () => {
    const rules = ruleIds.filter((id) => id.startsWith("current/"));
    const { end, recorded } = await contract({ options: { rules } });
    expect(end).toMatchObject({ status: "fulfilled", value: { ended: "complete" } });
    expect(new Set(recorded)).toEqual(new Set(["current"]));
  });

  test("if the answer to the plain search is not a stream, conversations come after all searches", async () => {
    const { end, recorded } = await contract({ answer: () => ({ status: 404, body: "no such page" }) });
    expect(end).toMatchObject({ status: "fulfilled", value: { ended: "complete" } });
    expect(recorded.findIndex(isCall)).toBeGreaterThan(recorded.lastIndexOf("stream"));
  });
});

describe("if the plain search times out", () => {
  test("and everything else does too, nothing more is sent", async () => {
    const { end, recorded, recordedBefore } = await contract({ answer: () => unanswered, isSilent: true });
    expect(recordedBefore).toEqual([]);
    expect(end).toMatchObject({ status: "fulfilled", value: { ended: "stopped", cause: "broken-searches" } });
    expect(recorded).toEqual(["stream"]);
  });

  test("but calls are answered, conversations are held", async () => {
    const { end, recorded, left } = await contract({ answer: () => unanswered });
    expect(end).toMatchObject({ status: "fulfilled", value: { ended: "complete" } });
    expect([recorded.some(isCall), left]).toEqual([true, 0]);
  });
});

test("many exchanges in flight cause no warning from Node", async () => {
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

describe("if searches or conversations end early", () => {
  const reset: ExchangeSketch = { failure: { code: "reset", message: "the connection was reset" } };

  test("an error in the searches ends the run, and everything created is removed", async () => {
    const { end, recorded, left } = await contract({ answer: (place) => (place < 10 ? good : reset) });
    expect(end).toMatchObject({ status: "fulfilled", value: { ended: "stopped", cause: "broken-searches" } });
    expect([recorded.some(isCall), left]).toEqual([true, 0]);
  });

  test("an exchange that cannot be recorded fails the run, and everything created is removed", async () => {
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

import type { ExchangeDraft } from "@assay/evidence";
import { recordDraft } from "@assay/evidence";
import { describe, expect, test } from "vitest";
import { streamProbes } from "../plan/stream-probes.ts";
import { draftOf, goodStream, webPage } from "../testing/recorded.ts";
import type { ExchangeSketch } from "../testing/recorded.ts";
import { driveRun } from "./drive-run.ts";
import type { DriveOptions, SearchRequest } from "./drive-run.ts";

const probes = streamProbes("test");
const ids = probes.map(({ id }) => id);
const streams = ids.filter((id) => !["oauth-token", "invalid-token", "no-token"].includes(id));

interface Drive {
  /** What each search is answered with, by probe; `*` for all others. */
  readonly answers?: Readonly<Record<string, ExchangeSketch>>;
  readonly options?: Partial<DriveOptions>;
  /** Told of each search before it is answered. */
  readonly onSend?: (request: SearchRequest) => void;
}

const good: ExchangeSketch = { body: goodStream };
const failed: ExchangeSketch = { body: "ev", failure: { code: "reset", message: "the connection was reset" } };

/** Drives the probes against a sender that knows its answers; everything that happened, in order. */
async function drive({ answers = {}, options = {}, onSend = () => undefined }: Drive) {
  const events: string[] = [];
  const requests: SearchRequest[] = [];
  const answerTo = ({ id, probe }: SearchRequest): ExchangeDraft =>
    draftOf({ ...(answers[probe.id] ?? answers["*"] ?? good), id, probe: probe.id });
  const footer = await driveRun({
    probes,
    mainCredential: "access-token",
    hasOauthToken: true,
    send: async (request) => {
      events.push(`send ${request.probe.id}`);
      requests.push(request);
      onSend(request);
      return answerTo(request);
    },
    writer: {
      async writeExchange(draft) {
        events.push(`write ${draft.probe}`);
        return recordDraft(draft).record;
      },
    },
    isOverdue: () => false,
    signal: new AbortController().signal,
    ...options,
  });
  return { footer, events, requests, sent: requests.map(({ probe }) => probe.id) };
}

describe("driving a run", () => {
  test("sends every probe in order and records each exchange before the next is sent", async () => {
    const { events, footer } = await drive({});
    expect(events).toEqual(ids.flatMap((id) => [`send ${id}`, `write ${id}`]));
    expect(footer).toEqual({ ended: "complete" });
  });

  test("gives exchanges ids that count up", async () => {
    const { requests } = await drive({});
    expect(requests.map(({ id }) => id).slice(0, 3)).toEqual(["0001", "0002", "0003"]);
    expect(new Set(requests.map(({ id }) => id)).size).toBe(ids.length);
  });

  test.each([
    {
      main: "access-token",
      hasOauthToken: true,
      left: [],
      credentials: ["access-token", "oauth-token", "invalid-token", "none"],
    },
    {
      main: "access-token",
      hasOauthToken: false,
      left: ["oauth-token"],
      credentials: ["access-token", "invalid-token", "none"],
    },
    { main: "oauth-token", hasOauthToken: true, left: [], credentials: ["oauth-token", "invalid-token", "none"] },
    { main: "none", hasOauthToken: false, left: ["oauth-token", "no-token"], credentials: ["none", "invalid-token"] },
  ] as const)(
    "with $main, OAuth token: $hasOauthToken, sends each credential that it has",
    async ({ main, hasOauthToken, left, credentials }) => {
      const { requests, sent } = await drive({ options: { mainCredential: main, hasOauthToken } });
      expect(sent).toEqual(ids.filter((id) => !(left as readonly string[]).includes(id)));
      expect([...new Set(requests.map(({ credential }) => credential))]).toEqual(credentials);
    },
  );

  test("tells a listener of each search before and after", async () => {
    const told: string[] = [];
    await drive({
      options: {
        probes: probes.slice(0, 2),
        listener: {
          probeStarted: ({ id }) => void told.push(`start ${id}`),
          probeFinished: ({ id }, record) => void told.push(`finish ${id} ${record.response?.status}`),
        },
      },
    });
    expect(told).toEqual(["start search", "finish search 200", "start paths", "finish paths 200"]);
  });

  test.each([
    { name: "nobody answers", answer: { status: 0, failure: { code: "refused", message: "refused" } } },
    { name: "it is answered with status 500", answer: { status: 500 } },
    { name: "it is answered with status 429", answer: { status: 429 } },
  ] as const)("sends nothing after the plain search when $name", async ({ answer }) => {
    const { sent, footer } = await drive({ answers: { "*": answer } });
    expect([sent, footer]).toEqual([["search"], { ended: "complete" }]);
  });

  test.each([
    { name: "a web page", answer: { body: webPage } },
    { name: "a JSON error", answer: { body: '{"error":"unauthorized"}' } },
    { name: "a redirection", answer: { status: 302 } },
    { name: "status 404", answer: { status: 404 } },
  ] as const)("tries the other token when the plain search is answered with $name", async ({ answer }) => {
    const { sent } = await drive({ answers: { search: answer } });
    expect(sent).toEqual(["search", "oauth-token"]);
  });

  test.each([401, 403])("tries other credentials when the plain search is refused with %i", async (status) => {
    const { sent } = await drive({ answers: { search: { status } } });
    expect(sent).toEqual(["search", "oauth-token", "invalid-token", "no-token"]);
  });

  test("goes on when a later search is answered otherwise", async () => {
    const { sent } = await drive({ answers: { paths: { status: 500 }, repositories: { body: webPage } } });
    expect(sent).toEqual(ids);
  });

  test("goes on after two broken exchanges in a row", async () => {
    const { sent, footer } = await drive({ answers: { search: failed, paths: failed, "cut-off": failed } });
    expect([sent, footer.ended]).toEqual([ids, "complete"]);
  });

  test("stops after three broken exchanges in a row", async () => {
    const { sent, footer } = await drive({ answers: { paths: failed, repositories: failed, "cut-off": failed } });
    expect(sent).toEqual(["search", "paths", "repositories", "cut-off"]);
    expect(footer).toEqual({
      ended: "stopped",
      reason: "3 searches in a row broke off, so no more were sent; the first failures say why",
    });
  });

  test.each([0, 1, 5])("stops before the next search once the time is up, after %i searches", async (allowed) => {
    let asked = 0;
    const { sent, footer } = await drive({ options: { isOverdue: () => (asked += 1) > allowed } });
    expect(sent).toEqual(ids.slice(0, allowed));
    expect([footer.ended, footer.reason]).toEqual(["stopped", expect.stringContaining("--timeout")]);
  });

  test("is not stopped by a time that is up after the last search", async () => {
    let asked = 0;
    const { footer } = await drive({ options: { isOverdue: () => (asked += 1) > ids.length } });
    expect(footer).toEqual({ ended: "complete" });
  });

  test.each(["SIGINT", "SIGTERM"])("ends with %s, and what had been sent is recorded", async (name) => {
    const controller = new AbortController();
    const { sent, events, footer } = await drive({
      options: { signal: controller.signal },
      onSend: ({ probe }) => void (probe.id === "repositories" && controller.abort(name)),
      answers: { repositories: { ...failed, failure: { code: "aborted", message: "interrupted" } } },
    });
    expect(sent).toEqual(["search", "paths", "repositories"]);
    expect(events.at(-1)).toBe("write repositories");
    expect(footer).toEqual({ ended: "interrupted", reason: name });
  });

  test("is interrupted also when it happens during the last search", async () => {
    const controller = new AbortController();
    const { footer } = await drive({
      options: { signal: controller.signal, probes: probes.slice(0, 1) },
      onSend: () => controller.abort("SIGINT"),
    });
    expect(footer).toEqual({ ended: "interrupted", reason: "SIGINT" });
  });

  test("is interrupted, not stopped, when the interrupt breaks a third exchange", async () => {
    const controller = new AbortController();
    const { footer } = await drive({
      options: { signal: controller.signal },
      answers: { "*": failed },
      onSend: ({ id }) => void (id === "0003" && controller.abort("SIGINT")),
    });
    expect(footer).toEqual({ ended: "interrupted", reason: "SIGINT" });
  });

  test("ends with the failure when an exchange cannot be recorded", async () => {
    const full = new Error("disk-full");
    const writer = { writeExchange: () => Promise.reject(full) };
    await expect(drive({ options: { writer } })).rejects.toBe(full);
  });

  test("sends streams with the main credential alone", async () => {
    const { requests } = await drive({});
    const main = requests.filter(({ credential }) => credential === "access-token").map(({ probe }) => probe.id);
    expect(main).toEqual(streams);
  });
});

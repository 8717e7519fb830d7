import type { ExchangeDraft } from "@assay/evidence";
import { recordDraft } from "@assay/evidence";
import { describe, expect, test } from "vitest";
import type { Probe } from "../plan/probe.ts";
import { createStreamProbes, isKept, keptLast } from "../plan/stream-probes.ts";
import { draftOf, goodStream, webPage } from "../testing/recorded.ts";
import type { ExchangeSketch } from "../testing/recorded.ts";
import { driveRun } from "./drive-run.ts";
import type { DriveOptions, SearchRequest } from "./drive-run.ts";

const probes = keptLast(createStreamProbes("test"));
const ids = probes.map(({ id }) => id);
const near = ["shortened-token", "lengthened-token", "empty-token"] as const;
const access = [
  "oauth-token",
  "unscoped-token",
  "unscoped-oauth-token",
  ...near,
  "no-token",
  "no-token-parameters",
  "invalid-token",
];
const streams = ids.filter((id) => !access.includes(id));
const planOf = (planned: readonly Probe[]): DriveOptions["plan"] => ({ probes: planned, followUps: () => [] });

interface Drive {
  /** The answer to each search, by probe; `*` for all others. */
  readonly answers?: Readonly<Record<string, ExchangeSketch>>;
  readonly options?: Partial<DriveOptions>;
  /** Called for each search before it is answered. */
  readonly onSend?: (request: SearchRequest) => void;
}

const good: ExchangeSketch = { body: goodStream };
const failed: ExchangeSketch = { body: "ev", failure: { code: "reset", message: "the connection was reset" } };

/** Drives the probes against a sender with these answers. Returns everything that happened, in order. */
async function drive({ answers = {}, options = {}, onSend = () => undefined }: Drive) {
  const events: string[] = [];
  const requests: SearchRequest[] = [];
  const answerTo = ({ id, probe }: SearchRequest): ExchangeDraft =>
    draftOf({ ...(answers[probe.id] ?? answers["*"] ?? good), id, probe: probe.id });
  const { unsent = [], ...footer } = await driveRun({
    plan: planOf(probes),
    mainCredential: "access-token",
    credentials: new Set(["oauth-token", "unscoped-token", "unscoped-oauth-token"]),
    parallel: 1,
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
  return { footer, unsent, events, requests, sent: requests.map(({ probe }) => probe.id) };
}

describe("driving a run", () => {
  test("sends every probe in order and records each exchange before the next is sent", async () => {
    const { events, footer } = await drive({});
    expect(events).toEqual(ids.flatMap((id) => [`send ${id}`, `write ${id}`]));
    expect(footer).toEqual({ ended: "complete" });
  });

  test("checks for a reason to stop before each group of searches, when none is in flight, and then sends nothing more", async () => {
    const open: number[] = [];
    let sends = 0;
    let ended = 0;
    const { footer, unsent } = await drive({
      options: {
        parallel: 3,
        send: async ({ id, probe }) => {
          sends += 1;
          await new Promise((resolve) => {
            setImmediate(resolve);
          });
          ended += 1;
          return draftOf({ ...good, id, probe: probe.id });
        },
        reasonToStop: async (next) => {
          open.push(sends - ended);
          return open.length === 3 ? `no more ${next}` : undefined;
        },
      },
    });
    // The plain search, and two groups of eight.
    expect([sends, open, footer]).toEqual([
      17,
      [0, 0, 0],
      { ended: "stopped", cause: "bail", reason: "no more searches" },
    ]);
    expect(new Set(unsent.map(({ cause }) => cause))).toEqual(new Set(["bail"]));
  });

  test("gives exchanges ascending ids", async () => {
    const { requests } = await drive({});
    expect(requests.map(({ id }) => id).slice(0, 3)).toEqual(["0001", "0002", "0003"]);
    expect(new Set(requests.map(({ id }) => id)).size).toBe(ids.length);
  });

  test.each([
    {
      main: "access-token",
      given: ["oauth-token", "unscoped-token", "unscoped-oauth-token"],
      left: [],
      credentials: [
        "access-token",
        "oauth-token",
        "unscoped-token",
        "unscoped-oauth-token",
        ...near,
        "none",
        "invalid-token",
      ],
    },
    {
      main: "access-token",
      given: [],
      left: ["oauth-token", "unscoped-token", "unscoped-oauth-token"],
      credentials: ["access-token", ...near, "none", "invalid-token"],
    },
    {
      main: "oauth-token",
      given: ["oauth-token"],
      left: ["unscoped-token", "unscoped-oauth-token", ...near],
      credentials: ["oauth-token", "none", "invalid-token"],
    },
    {
      main: "none",
      given: [],
      left: ["oauth-token", "unscoped-token", "unscoped-oauth-token", ...near, "no-token", "no-token-parameters"],
      credentials: ["none", "invalid-token"],
    },
  ] as const)(
    "with $main and $given, sends each credential that it has",
    async ({ main, given, left, credentials }) => {
      const { requests, sent } = await drive({ options: { mainCredential: main, credentials: new Set(given) } });
      expect(sent).toEqual(ids.filter((id) => !(left as readonly string[]).includes(id)));
      expect([...new Set(requests.map(({ credential }) => credential))]).toEqual(credentials);
    },
  );

  test("notifies a listener before and after each search", async () => {
    const told: string[] = [];
    await drive({
      options: {
        plan: planOf(probes.slice(0, 2)),
        listener: {
          probeStarted: ({ id }) => void told.push(`start ${id}`),
          probeFinished: ({ id }, record) => void told.push(`finish ${id} ${record.response?.status}`),
        },
      },
    });
    expect(told).toEqual(["start search", "finish search 200", "start paths", "finish paths 200"]);
  });

  test.each([
    { name: "the connection is refused", answer: { status: 0, failure: { code: "refused", message: "refused" } } },
    { name: "it is answered with status 500", answer: { status: 500 } },
    { name: "it is answered with status 429", answer: { status: 429 } },
  ] as const)("sends nothing after the plain search when $name", async ({ answer }) => {
    const { sent, footer } = await drive({ answers: { "*": answer } });
    expect([sent, footer]).toEqual([["search"], { ended: "complete" }]);
  });

  test.each<{ name: string; answer: ExchangeSketch; cause: string; reason: string }>([
    {
      name: "status 429",
      answer: { status: 429 },
      cause: "busy",
      reason: "the plain search was answered with status 429",
    },
    {
      name: "nothing",
      answer: { status: 0, failure: { code: "refused", message: "refused" } },
      cause: "other",
      reason: "the plain search was not answered",
    },
  ])("records which credentials were not tried after $name, and why", async ({ answer, cause, reason }) => {
    const { unsent } = await drive({ answers: { "*": answer }, options: { credentials: new Set(["oauth-token"]) } });
    const probe = (id: string) => ({ interface: "stream", probe: id, cause, reason });
    expect(unsent).toEqual(
      ["oauth-token", ...near, "no-token", "no-token-parameters", "invalid-token"].map((id) => probe(id)),
    );
  });

  test("records credentials that were not tried because the run was stopped, and none after a complete run", async () => {
    const broken = await drive({ answers: { paths: failed, repositories: failed, "cut-off-late": failed } });
    expect(broken.unsent[0]).toMatchObject({
      probe: "oauth-token",
      cause: "other",
      reason: expect.stringContaining("3 searches in a row failed"),
    });
    expect((await drive({})).unsent).toEqual([]);
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

  test.each([400, 422])("tries parameters when the plain search is a bad request, status %i", async (status) => {
    const { sent } = await drive({ answers: { search: { status } } });
    const others = probes.filter(({ id, purpose }) => purpose === "parameters" || id === "oauth-token");
    expect(sent).toEqual(["search", ...others.map(({ id }) => id)]);
  });

  test.each([401, 403])("tries other credentials when the plain search is refused with %i", async (status) => {
    const { sent } = await drive({ answers: { search: { status } } });
    expect(sent).toEqual(["search", ...access]);
  });

  test("continues if a later search has another kind of answer", async () => {
    const { sent } = await drive({ answers: { paths: { status: 500 }, repositories: { body: webPage } } });
    expect(sent).toEqual(ids);
  });

  test("continues after two failed exchanges in a row", async () => {
    const { sent, footer } = await drive({ answers: { search: failed, paths: failed, "cut-off": failed } });
    expect([sent, footer.ended]).toEqual([ids, "complete"]);
  });

  test("stops after three failed exchanges in a row", async () => {
    const { sent, footer } = await drive({
      answers: { paths: failed, repositories: failed, "cut-off-late": failed },
    });
    expect(sent).toEqual(["search", "paths", "repositories", "cut-off-late"]);
    expect(footer).toEqual({
      ended: "stopped",
      cause: "broken-searches",
      reason: "3 searches in a row failed, so no more were sent; the last failure: the connection was reset",
    });
  });

  test("continues if connections are closed after `done`, and reports these streams as whole", async () => {
    const closed = { body: goodStream, failure: { code: "truncated", message: "closed" } } as const;
    const cut = { ...closed, body: goodStream.subarray(0, -1) };
    const went = await drive({ answers: { paths: closed, repositories: closed, "cut-off-late": closed } });
    expect([went.sent, went.footer.ended]).toEqual([ids, "complete"]);
    const stopped = await drive({ answers: { paths: cut, repositories: cut, "cut-off-late": cut } });
    expect(stopped.footer.ended).toBe("stopped");
  });

  test.each([0, 1, 5])("stops before the next search once the time is up, after %i searches", async (allowed) => {
    let asked = 0;
    const { sent, footer } = await drive({ options: { isOverdue: () => (asked += 1) > allowed } });
    expect(sent).toEqual(ids.slice(0, allowed));
    expect(footer).toEqual({
      ended: "stopped",
      cause: "deadline",
      reason: expect.stringContaining("--timeout"),
    });
  });

  test("is not stopped if the time is up after the last search", async () => {
    let asked = 0;
    const { footer } = await drive({ options: { isOverdue: () => (asked += 1) > ids.length } });
    expect(footer).toEqual({ ended: "complete" });
  });

  test.each(["SIGINT", "SIGTERM"])("ends with %s, and the sent searches are recorded", async (name) => {
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

  test("is interrupted even during the last search", async () => {
    const controller = new AbortController();
    const { footer } = await drive({
      options: { signal: controller.signal, plan: planOf(probes.slice(0, 1)) },
      onSend: () => controller.abort("SIGINT"),
    });
    expect(footer).toEqual({ ended: "interrupted", reason: "SIGINT" });
  });

  test("is interrupted, not stopped, if the interrupt fails a third exchange", async () => {
    const controller = new AbortController();
    const { footer } = await drive({
      options: { signal: controller.signal },
      answers: { "*": failed },
      onSend: ({ id }) => void (id === "0003" && controller.abort("SIGINT")),
    });
    expect(footer).toEqual({ ended: "interrupted", reason: "SIGINT" });
  });

  test("fails if an exchange cannot be recorded", async () => {
    const full = new Error("disk-full");
    const writer = { writeExchange: () => Promise.reject(full) };
    await expect(drive({ options: { writer } })).rejects.toBe(full);
  });

  test("sends streams only with the main credential", async () => {
    const { requests } = await drive({});
    const main = requests.filter(({ credential }) => credential === "access-token").map(({ probe }) => probe.id);
    expect(main).toEqual(streams);
  });

  test("sends the searches of a kept connection one after the other, after the others", async () => {
    let inFlight = 0;
    const sent: string[] = [];
    await drive({
      options: {
        parallel: 3,
        send: async ({ id, probe }) => {
          inFlight += 1;
          sent.push(isKept(probe) ? `kept ${inFlight}` : "other");
          await new Promise((resolve) => {
            setImmediate(resolve);
          });
          inFlight -= 1;
          return draftOf({ ...good, id, probe: probe.id });
        },
      },
    });
    const keptCount = probes.filter(isKept).length;
    expect(keptCount).toBeGreaterThan(3);
    expect(sent.slice(-keptCount)).toEqual(Array.from({ length: keptCount }, () => "kept 1"));
    expect(sent.slice(0, -keptCount)).toEqual(sent.slice(0, -keptCount).map(() => "other"));
  });

  test("sends searches derived from the first answer after the planned ones, with consecutive ids", async () => {
    const more: Probe = {
      id: "more",
      title: "more",
      credential: "main",
      parameters: { q: "x" },
      purpose: "comparison",
    };
    const seen: string[] = [];
    const plan: DriveOptions["plan"] = {
      probes: probes.slice(0, 2),
      followUps: ({ record }) => {
        seen.push(record.probe);
        return [more];
      },
    };
    const { sent, requests } = await drive({ options: { plan } });
    expect([sent, seen]).toEqual([["search", "paths", "more"], ["search"]]);
    expect(requests.map(({ id }) => id)).toEqual(["0001", "0002", "0003"]);
  });

  test("sends searches derived from other answers last, when all of those have arrived", async () => {
    const named = (id: string): Probe => ({
      id,
      title: id,
      credential: "main",
      parameters: { q: id },
      purpose: "comparison",
    });
    const asked: string[] = [];
    const plan: DriveOptions["plan"] = {
      probes: probes.slice(0, 2),
      followUps: () => [named("more")],
      finalProbes: {
        sourceProbeIds: new Set(["more"]),
        probes: (followUps, answerTo) => {
          asked.push(...["search", "more"].map((id) => answerTo(id)?.record.probe ?? "none"));
          return followUps.map(({ id }) => named(`${id}-again`));
        },
      },
    };
    const { sent, requests } = await drive({ options: { plan } });
    expect([sent, asked]).toEqual([
      ["search", "paths", "more", "more-again"],
      ["none", "more"],
    ]);
    expect(requests.map(({ id }) => id)).toEqual(["0001", "0002", "0003", "0004"]);
  });

  test("sends nothing more if the first answer is not a stream", async () => {
    const followUps = (): never => expect.unreachable();
    const { sent } = await drive({ answers: { "*": { status: 404 } }, options: { plan: { probes, followUps } } });
    expect(sent).toEqual(["search", "oauth-token"]);
  });

  test("sends nothing if nothing was planned", async () => {
    const { sent, footer } = await drive({ options: { plan: planOf([]) } });
    expect([sent, footer]).toEqual([[], { ended: "complete" }]);
  });
});

describe("searches that are compared", () => {
  const pair = probes.filter(({ id }) => id === "search" || id === "parameter-v-t");
  const found = (commit: string): ExchangeSketch => ({
    body: `event: matches\ndata: [{"type":"content","repository":"a/b","path":"c","commit":"${commit}"}]\n\nevent: done\ndata: {}\n\n`,
  });

  /** Drives the pair against an index that is at these commits in turn; the last one remains. */
  async function driveMoving(commits: readonly string[], more: { remainingMs?: number; isRepeated?: boolean } = {}) {
    const { remainingMs = 1_000_000, isRepeated = true } = more;
    const rests: number[] = [];
    let [number, now] = [0, remainingMs];
    await drive({
      options: {
        plan: { probes: pair, followUps: () => [], repeatsComparedSearches: isRepeated },
        pace: {
          waitForTurn: () => Promise.resolve(),
          pause: (ms) => Promise.resolve(void rests.push(ms)),
          adviceAfter: () => "continue",
          remainingMs: () => now,
        },
        send: ({ id, probe }) => {
          const commit = commits[Math.min(number, commits.length - 1)] ?? "";
          number += 1;
          now -= 100;
          return Promise.resolve(draftOf({ ...found(commit), id, probe: probe.id }));
        },
        writer: { writeExchange: (draft) => Promise.resolve(recordDraft(draft).record) },
      },
    });
    return { rests, number };
  }

  test.each([
    { name: "see one index state", commits: ["1"], times: 1, rests: [] },
    { name: "see different states at first", commits: ["1", "2"], times: 2, rests: [1000] },
    { name: "see different states twice", commits: ["1", "2", "3", "4"], times: 3, rests: [1000, 2000] },
    { name: "always see different states", commits: [..."123456789"], times: 4, rests: [1000, 2000, 4000] },
  ])("are sent $times times if they $name", async ({ commits, times, rests }) => {
    const driven = await driveMoving(commits);
    expect([driven.number, driven.rests]).toEqual([2 * times, rests]);
  });

  test("are not sent again if the time is short or nothing is compared", async () => {
    expect((await driveMoving(["1", "2"], { remainingMs: 1500 })).number).toBe(2);
    expect((await driveMoving(["1", "2"], { remainingMs: 1700 })).number).toBe(4);
    expect((await driveMoving(["1", "2"], { isRepeated: false })).number).toBe(2);
  });
});

/** A sender whose searches wait until the test ends them. */
function heldSender() {
  const held: { readonly request: SearchRequest; readonly end: (sketch?: ExchangeSketch) => void }[] = [];
  const send: DriveOptions["send"] = (request) =>
    new Promise((resolve) => {
      const end = (sketch: ExchangeSketch = good): void =>
        resolve(draftOf({ ...sketch, id: request.id, probe: request.probe.id }));
      held.push({ request, end });
    });
  const isWaiting = async (count: number): Promise<void> => {
    await expect.poll(() => held.length).toBe(count);
  };
  return { held, send, isWaiting };
}

describe("driving concurrent searches", () => {
  const planned = probes.filter(({ credential }) => credential === "main").slice(0, 6);
  const writer: DriveOptions["writer"] = { writeExchange: async (draft) => recordDraft(draft).record };
  const optionsFor = (send: DriveOptions["send"], other: Partial<DriveOptions> = {}): DriveOptions => ({
    plan: planOf(planned),
    mainCredential: "access-token",
    credentials: new Set(),
    parallel: 3,
    send,
    writer,
    isOverdue: () => false,
    signal: new AbortController().signal,
    ...other,
  });

  test("sends the plain search alone, then no more than allowed", async () => {
    const { held, send, isWaiting } = heldSender();
    const run = driveRun(optionsFor(send));
    await isWaiting(1);
    held[0]?.end();
    await isWaiting(4);
    held[2]?.end();
    await isWaiting(5);
    expect(held.map(({ request }) => request.probe.id)).toEqual(planned.slice(0, 5).map(({ id }) => id));
    held[1]?.end();
    await isWaiting(6);
    for (const { end } of held) {
      end();
    }
    expect(await run).toEqual({ ended: "complete" });
  });

  test("counts consecutive failures in the order in which searches end", async () => {
    const { held, send, isWaiting } = heldSender();
    const run = driveRun(optionsFor(send));
    await isWaiting(1);
    held[0]?.end(failed);
    await isWaiting(4);
    held[3]?.end(failed);
    await isWaiting(5);
    held[4]?.end(failed);
    held[1]?.end();
    held[2]?.end();
    expect((await run).ended).toBe("stopped");
    expect(held).toHaveLength(5);
  });

  test("waits for searches in flight before it fails because an exchange cannot be recorded", async () => {
    const { held, send, isWaiting } = heldSender();
    const full = new Error("disk-full");
    let written = 0;
    const failing: DriveOptions["writer"] = {
      writeExchange: async (draft) => {
        written += 1;
        return written === 2 ? Promise.reject(full) : recordDraft(draft).record;
      },
    };
    let isOver = false;
    const run = driveRun(optionsFor(send, { writer: failing })).finally(() => (isOver = true));
    const rejected = run.catch((cause: unknown) => cause);
    await isWaiting(1);
    held[0]?.end();
    await isWaiting(4);
    held[1]?.end();
    await expect.poll(() => written).toBe(2);
    expect(isOver).toBe(false);
    held[2]?.end();
    held[3]?.end();
    expect(await rejected).toBe(full);
    expect([held.length, written]).toEqual([4, 4]);
  });

  test("is interrupted once: searches in flight end, and nothing more is sent", async () => {
    const { held, send, isWaiting } = heldSender();
    const controller = new AbortController();
    const run = driveRun(optionsFor(send, { signal: controller.signal }));
    await isWaiting(1);
    held[0]?.end();
    await isWaiting(4);
    controller.abort("SIGTERM");
    for (const { end } of held) {
      end(failed);
    }
    expect(await run).toEqual({ ended: "interrupted", reason: "SIGTERM" });
    expect(held).toHaveLength(4);
  });
});

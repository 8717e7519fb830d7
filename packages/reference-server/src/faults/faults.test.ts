import { grammarViolations, ruleCatalogue, ruleIds } from "@assay/contract";
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { faults, listFaults } from "./fault-registry.ts";
import { isPayloadArray } from "../service/payload.ts";
import type { RunningServer, ServerOptions } from "../server-options.ts";
import { bytesWith } from "../testing/apply-fault.ts";
import { createGitFixture, type GitFixture } from "../testing/git-fixture.ts";
import { type RawAnswer, rawRequest, rawSearch } from "../testing/raw-client.ts";
import { sampleFiles } from "../testing/sample-files.ts";
import { serversOver } from "../testing/servers-over.ts";
import { objectsIn, objectsOf, type ReadEvent, strictEvents } from "../testing/strict-events.ts";

const published = ["kill-matrix.md", "kill-matrix-conversations.md"]
  .map((name) => readFileSync(new URL(`../../../../reports/${name}`, import.meta.url), "utf8"))
  .join("");

let fixture: GitFixture;
let plain: RawAnswer;

const withServer = serversOver(() => fixture, { seed: 1 });

/** The answer of a server with a fault to an ordinary search, and whether the journal reports the fault. */
const answerWith = (
  fault: NonNullable<ServerOptions["fault"]>,
  parameters: Readonly<Record<string, string>> = {},
): Promise<RawAnswer & { readonly applied: boolean | undefined }> =>
  withServer({ fault }, async (server) => {
    const answer = await rawSearch(server, "needle", parameters);
    return { ...answer, applied: server.journal().at(-1)?.faultApplied };
  });

beforeAll(async () => {
  const few = Object.entries(sampleFiles).filter(([path]) => !/^bulk\/part-(?!00)/u.test(path));
  fixture = createGitFixture({ files: Object.fromEntries(few) });
  plain = await withServer({}, (server) => rawSearch(server, "needle"));
});

afterAll(() => {
  fixture.remove();
});

/** Durations differ between any two runs; everything else must not. */
const textOf = (body: Buffer): string => body.toString("latin1").replaceAll(/("durationMs":)\d+/gu, "$10");

const firstFrame = (name: string, part = ""): string =>
  textOf(plain.body)
    .split(/(?<=\n\n)/u)
    .find((frame) => frame.startsWith(`event: ${name}\n`) && frame.includes(part)) ?? "";

const running = (): string => firstFrame("progress", '"done":false');
const done = "event: done\ndata: {}\n\n";

describe("the registry", () => {
  test("has unique ids", () => {
    expect(new Set(faults.map(({ id }) => id)).size).toBe(faults.length);
  });

  // Rules are proven by their mutations; faults shown live before must stay.
  test.each(ruleIds.filter((id) => published.includes(`\`${id}\``)))("has a fault that attacks %s", (rule) => {
    expect(faults.filter(({ attacks }) => attacks === rule).length).toBeGreaterThan(0);
  });

  test("attacks only existing rules, and none with transport faults and legal variations", () => {
    const rules = new Set<string | undefined>(ruleCatalogue.map(({ id }) => id));
    const attacked = faults.filter(({ kind }) => kind === "violation" || kind === "note");
    expect(attacked.filter(({ attacks }) => !rules.has(attacks))).toEqual([]);
    expect(faults.filter(({ attacks, kind }) => attacks !== undefined && /transport|legal/u.test(kind))).toEqual([]);
  });

  test("lists all its faults", () => {
    expect(listFaults().map(({ id }) => id)).toEqual(faults.map(({ id }) => id));
  });
});

/** Faults that rewrite text, and the resulting stream. */
interface Rewrite {
  readonly id: string;
  readonly code: string;
  /** The variant; absent means the first one. */
  readonly how?: string;
  readonly expected: () => string;
}

const firstFilters = (rewrite: (json: string) => string): string =>
  textOf(plain.body).replace(/(?<=^event: filters\ndata: ).*/mu, rewrite);

const rewrites: readonly Rewrite[] = [
  {
    id: "third-field",
    code: "third-field",
    expected: () => textOf(plain.body).replace(running(), `${running().slice(0, -1)}extra: 1\n\n`),
  },
  {
    id: "not-a-field",
    code: "not-a-field",
    expected: () => textOf(plain.body).replace(running(), `${running().slice(0, -1)}still searching\n\n`),
  },
  { id: "comment", code: "comment", expected: () => textOf(plain.body).replace(running(), `: ping\n\n${running()}`) },
  {
    id: "id-field",
    code: "id-field",
    expected: () => textOf(plain.body).replace(running(), `${running().slice(0, -1)}id: 1\n\n`),
  },
  {
    id: "retry-field",
    code: "retry-field",
    expected: () => textOf(plain.body).replace(running(), `${running().slice(0, -1)}retry: 3000\n\n`),
  },
  {
    id: "empty-event-name",
    code: "empty-event-name",
    expected: () => textOf(plain.body).replace(running(), running().replace("event: progress\n", "event: \n")),
  },
  {
    id: "missing-event",
    code: "missing-event",
    expected: () => textOf(plain.body).replace(running(), running().replace("event: progress\n", "")),
  },
  {
    id: "missing-data",
    code: "missing-data",
    expected: () => textOf(plain.body).replace(running(), "event: progress\n\n"),
  },
  {
    id: "repeated-event",
    code: "repeated-event",
    expected: () => textOf(plain.body).replace(running(), `event: progress\n${running()}`),
  },
  {
    id: "repeated-data",
    code: "repeated-data",
    expected: () => textOf(plain.body).replace(running(), `${running().slice(0, -1)}data:\n\n`),
  },
  { id: "crlf", code: "carriage-return", expected: () => textOf(plain.body).replaceAll("\n", "\r\n") },
  {
    id: "extra-blank-line",
    code: "extra-blank-line",
    expected: () => textOf(plain.body).replace(firstFrame("filters"), `${firstFrame("filters")}\n`),
  },
  {
    id: "missing-blank-line",
    code: "missing-blank-line",
    expected: () => textOf(plain.body).replace(firstFrame("filters"), firstFrame("filters").slice(0, -1)),
  },
  { id: "unterminated", code: "unterminated-event", expected: () => textOf(plain.body).slice(0, -3) },
  { id: "bom", code: "byte-order-mark", expected: () => `\u{ef}\u{bb}\u{bf}${textOf(plain.body)}` },
  {
    id: "invalid-utf8",
    code: "invalid-utf8",
    expected: () => textOf(plain.body).replace(/(event: matches\n.*?"repository":")./u, "$1\u{ff}"),
  },
  { id: "data-not-json", code: "data-not-json", expected: () => textOf(plain.body).replace("}]\n\n", "},]\n\n") },
  { id: "bytes-after-done", code: "bytes-after-done", expected: () => `${textOf(plain.body)} ` },
  {
    id: "bytes-after-done",
    how: "line-feed",
    code: "bytes-after-done",
    expected: () => `${textOf(plain.body)}\n`,
  },
  {
    id: "bytes-after-done",
    how: "comment",
    code: "bytes-after-done",
    expected: () => `${textOf(plain.body)}: bye\n\n`,
  },
  {
    id: "crlf",
    how: "in-the-line",
    code: "carriage-return",
    expected: () => textOf(plain.body).replaceAll(/^data: (.)/gmu, "data: $1\r"),
  },
  { id: "extra-blank-line", how: "before", code: "extra-blank-line", expected: () => `\n${textOf(plain.body)}` },
  {
    id: "unterminated",
    how: "no-data",
    code: "unterminated-event",
    expected: () => textOf(plain.body).slice(0, -"data: {}\n\n".length),
  },
  {
    id: "unterminated",
    how: "half-of-a-field",
    code: "unterminated-event",
    expected: () => textOf(plain.body).slice(0, -"ta: {}\n\n".length),
  },
  ...Object.entries({
    continuation: "\u{80}",
    overlong: "\u{c0}\u{af}",
    surrogate: "\u{ed}\u{a0}\u{80}",
    cut: "\u{e2}\u{82}",
    "too-large": "\u{f4}\u{90}\u{80}\u{80}",
  }).map(([how, bytes]): Rewrite => ({
    id: "invalid-utf8",
    how,
    code: "invalid-utf8",
    expected: () => textOf(plain.body).replace(/(event: matches\n.*?"repository":")./u, `$1${bytes}`),
  })),
  { id: "data-not-json", how: "cut", code: "data-not-json", expected: () => firstFilters((json) => json.slice(0, -1)) },
  { id: "data-not-json", how: "empty", code: "data-not-json", expected: () => firstFilters(() => "") },
  {
    id: "data-not-json",
    how: "two-values",
    code: "data-not-json",
    expected: () => firstFilters((json) => `${json} ${json}`),
  },
  {
    id: "data-not-json",
    how: "single-quotes",
    code: "data-not-json",
    expected: () => firstFilters((json) => json.replaceAll('"', "'")),
  },
  {
    id: "data-not-json",
    how: "nan",
    code: "data-not-json",
    expected: () => firstFilters((json) => json.replace(/(?<="count":)\d+/u, "NaN")),
  },
  ...Object.entries({ null: "null", list: "[]", text: '""' }).map(([how, json]): Rewrite => ({
    id: "done-not-empty",
    how,
    code: "done-not-empty",
    expected: () => textOf(plain.body).replace(done, `event: done\ndata: ${json}\n\n`),
  })),
  { id: "done-twice", code: "second-done", expected: () => `${textOf(plain.body)}${done}` },
  { id: "no-done", code: "no-done", expected: () => textOf(plain.body).slice(0, -done.length) },
  {
    id: "done-not-empty",
    code: "done-not-empty",
    expected: () => textOf(plain.body).replace(done, 'event: done\ndata: {"reason":"finished"}\n\n'),
  },
  {
    id: "event-after-done",
    code: "bytes-after-done",
    expected: () => `${textOf(plain.body)}event: notice\ndata: {}\n\n`,
  },
  {
    id: "no-final-progress",
    code: "",
    expected: () => textOf(plain.body).replace(firstFrame("progress", '"done":true'), ""),
  },
  {
    id: "final-progress-twice",
    code: "",
    expected: () => textOf(plain.body).replace(firstFrame("progress", '"done":true'), "$&$&"),
  },
  {
    id: "progress-runs-again",
    code: "",
    expected: () => {
      const final = firstFrame("progress", '"done":true');
      const { data } = strictEvents(Buffer.from(final))[0] ?? {};
      const { repositoriesCount: _count, ...rest } = { repositoriesCount: 0, ...Object(data) };
      const again = `event: progress\ndata: ${JSON.stringify({ ...rest, done: false })}\n\n`;
      return `${textOf(plain.body).slice(0, -done.length)}@${done}`.replace("@", () => sortedKeys(again));
    },
  },
  {
    id: "final-without-repositories-count",
    code: "",
    expected: () => textOf(plain.body).replace(/"repositoriesCount":\d+,/u, ""),
  },
  {
    id: "no-final-progress",
    how: "still-running",
    code: "",
    expected: () => {
      const final = firstFrame("progress", '"done":true');
      const runningProgress = final.replace('"done":true', '"done":false').replace(/"repositoriesCount":\d+,/u, "");
      return textOf(plain.body).replace(final, runningProgress);
    },
  },
  {
    id: "match-without-type",
    code: "",
    expected: () => textOf(plain.body).replace('[{"type":"content",', "[{"),
  },
  {
    id: "content-without-repository",
    code: "",
    expected: () => textOf(plain.body).replace(/"repository":"[^"]+",/u, ""),
  },
  {
    id: "content-repository-id-is-text",
    code: "",
    expected: () => textOf(plain.body).replace(/"repositoryID":(\d+)/u, '"repositoryID":"$1"'),
  },
  {
    id: "content-branches-is-text",
    code: "",
    expected: () => textOf(plain.body).replace('"branches":[""]', '"branches":"HEAD"'),
  },
  {
    id: "content-fractional-line",
    code: "",
    expected: () => textOf(plain.body).replace(/"lineNumber":(\d+)/u, '"lineNumber":$1.5'),
  },
  {
    id: "progress-skipped-is-object",
    code: "",
    expected: () => textOf(plain.body).replace('"skipped":[]', '"skipped":{}'),
  },
  { id: "filter-without-kind", code: "", expected: () => textOf(plain.body).replace(',"kind":"type"}', "}") },
  { id: "new-filter-kind", code: "", expected: () => textOf(plain.body).replace('"kind":"type"', '"kind":"topic"') },
  {
    id: "alert-is-text",
    code: "",
    expected: () => textOf(plain.body).replace(done, `event: alert\ndata: "some repositories were slow"\n\n${done}`),
  },
];

/** `done` comes first in every `progress`; a spread keeps its old position. */
const sortedKeys = (frame: string): string => frame.replace(/\{(.*),"done":false\}/u, '{"done":false,$1}');

describe("a fault that rewrites the stream", () => {
  test.each(rewrites.filter(({ how }) => how === undefined))(
    "$id changes the bytes as described and nothing else",
    async ({ expected, id }) => {
      const { applied, body, end, status } = await answerWith(id);
      expect({ applied, end, status }).toEqual({ applied: true, end: "complete", status: 200 });
      expect(textOf(body)).toBe(expected());
      expect(textOf(body)).not.toBe(textOf(plain.body));
    },
  );

  // One variant is tested through a server; the others on the same events without one.
  test.each(rewrites.filter(({ how }) => how !== undefined))(
    "$id ($how) changes the bytes as described and nothing else",
    async ({ expected, how = "", id }) => {
      const text = textOf(await bytesWith({ id, params: { how } }, strictEvents(plain.body)));
      expect(text).toBe(expected());
      expect(text).not.toBe(textOf(plain.body));
    },
  );

  test.each(Object.keys(grammarViolations))("exists for the grammar code %s", (code) => {
    expect(rewrites.map((rewrite) => rewrite.code)).toContain(code);
  });
});

/** Faults that change values, and a test of the events. */
const changes: readonly {
  readonly id: string;
  readonly holds: (events: readonly ReadEvent[]) => unknown;
  readonly gives: unknown;
}[] = [
  {
    id: "matches-not-array",
    holds: (events) => isPayloadArray(events.find(({ name }) => name === "matches")?.data),
    gives: false,
  },
  {
    id: "unknown-match-type",
    holds: (events) => objectsIn(events.find(({ name }) => name === "matches")?.data)[0]?.["type"],
    gives: "person",
  },
  {
    id: "progress-duration-is-text",
    holds: (events) =>
      events.filter(({ name }) => name === "progress").map(({ data }) => typeof Object(data).durationMs),
    gives: expect.arrayContaining(["string", "number"]),
  },
  {
    id: "skipped-without-severity",
    holds: (events) => objectsIn(Object(events.find(({ name }) => name === "progress")?.data).skipped).map(Object.keys),
    gives: [["reason", "title", "message"]],
  },
  {
    id: "new-skipped-reason",
    holds: (events) => objectsIn(Object(events.find(({ name }) => name === "progress")?.data).skipped),
    gives: [expect.objectContaining({ reason: "repository-quarantined", severity: "info" })],
  },
  {
    id: "new-skipped-severity",
    holds: (events) => objectsIn(Object(events.find(({ name }) => name === "progress")?.data).skipped),
    gives: [expect.objectContaining({ reason: "excluded-archive", severity: "critical" })],
  },
  {
    id: "matches-after-final",
    holds: (events) => events.slice(-3).map(({ name, data }) => [name, Object(data).done]),
    gives: [
      ["progress", true],
      ["matches", undefined],
      ["done", undefined],
    ],
  },
  {
    id: "filters-after-final",
    holds: (events) => events.slice(-3).map(({ name, data }) => [name, Object(data).done]),
    gives: [
      ["progress", true],
      ["filters", undefined],
      ["done", undefined],
    ],
  },
  {
    id: "match-count-falls",
    holds: (events) => falls(events, "matchCount"),
    gives: 1,
  },
  {
    id: "duration-falls",
    holds: (events) => falls(events, "durationMs"),
    gives: 1,
  },
];

/** How often a number decreases between `progress` events. */
const falls = (events: readonly ReadEvent[], field: string): number => {
  const values = events.filter(({ name }) => name === "progress").map(({ data }) => Number(Object(data)[field]));
  return values.filter((value, index) => value < (values[index - 1] ?? 0)).length;
};

describe("a fault that changes values", () => {
  test.each(changes)("$id shows in the events, and no match is added or lost", async ({ gives, holds, id }) => {
    const { applied, body } = await answerWith(id);
    expect(applied).toBe(true);
    expect(holds(strictEvents(body))).toEqual(gives);
    expect(holds(strictEvents(plain.body))).not.toEqual(gives);
    expect(objectsOf(body, "matches").length).toBeLessThanOrEqual(objectsOf(plain.body, "matches").length);
  });

  test("display-exceeded delivers more than display, and only then shows", async () => {
    expect(objectsOf((await answerWith("display-exceeded", { display: "3" })).body, "matches").length).toBeGreaterThan(
      3,
    );
    expect((await answerWith("display-exceeded")).applied).toBe(false);
  });

  test.each(["cm", "cl", "v", "t", "display", "max-line-len"])("parameter-refused refuses %s alone", async (name) => {
    const fault = { id: "parameter-refused", params: { name } };
    const values = { cm: "true", cl: "0", v: "V3", t: "standard", display: "5", "max-line-len": "80" };
    const refused = await answerWith(fault, { [name]: Object(values)[name] });
    expect(strictEvents(refused.body).map((event) => event.name)).toEqual(["alert", "done"]);
    expect(textOf((await answerWith(fault)).body)).toBe(textOf(plain.body));
  });
});

describe("a fault of access", () => {
  test.each([
    { id: "access-token-refused", scheme: "token", kind: "access", healthy: 200, faulty: 401 },
    { id: "oauth-token-refused", scheme: "Bearer", kind: "oauth", healthy: 200, faulty: 401 },
    { id: "scope-ignored", scheme: "token", kind: "noScope", healthy: 403, faulty: 200 },
    { id: "any-token-accepted", scheme: "token", kind: "unknown", healthy: 401, faulty: 200 },
    { id: "anonymous-accepted", scheme: undefined, kind: "none", healthy: 401, faulty: 200 },
    { id: "anonymous-refused", scheme: undefined, kind: "none", healthy: 200, faulty: 401 },
  ])("$id answers $faulty instead of $healthy", async ({ faulty, healthy, id, kind, scheme }) => {
    const ask = async (server: RunningServer): Promise<number> => {
      const headers =
        scheme === undefined ? {} : { authorization: `${scheme} ${server.tokens[kind] ?? "sgp_unknown"}` };
      return (await rawRequest(server.url, { parameters: { q: "needle" }, headers })).status;
    };
    const broken = await withServer({ fault: id }, async (server) => ({
      status: await ask(server),
      access: server.access,
    }));
    expect(broken.status).toBe(faulty);
    expect(await withServer({ access: broken.access }, ask)).toBe(healthy);
  });
});

describe("a refusal", () => {
  const turnedAway = async (id: string, how: string): Promise<readonly unknown[]> => {
    const { applied, body, headers, status } = await answerWith({ id, params: { how } }, { cm: "true" });
    expect(applied).toBe(true);
    return [status, headers.location, status === 200 ? strictEvents(body).map(({ name }) => name) : []];
  };

  test.each([
    { id: "access-token-refused", how: "status-401", comes: [401, undefined, []] },
    { id: "access-token-refused", how: "status-403", comes: [403, undefined, []] },
    { id: "access-token-refused", how: "status-404", comes: [404, undefined, []] },
    { id: "access-token-refused", how: "redirect", comes: [302, "/sign-in", []] },
    { id: "access-token-refused", how: "alert", comes: [200, undefined, ["alert", "done"]] },
    { id: "parameter-refused", how: "alert", comes: [200, undefined, ["alert", "done"]] },
    { id: "parameter-refused", how: "status-400", comes: [400, undefined, []] },
    { id: "parameter-refused", how: "redirect", comes: [302, "/sign-in", []] },
  ])("of $id can be $how", async ({ comes, how, id }) => {
    expect(await turnedAway(id, how)).toEqual(comes);
  });

  test("has the same variants for every credential", () => {
    const ways = ["access-token-refused", "oauth-token-refused", "anonymous-refused"].map(
      (id) => listFaults().find((fault) => fault.id === id)?.parameters,
    );
    expect(new Set(ways).size).toBe(3);
    expect(new Set(ways.map((way) => JSON.stringify(way))).size).toBe(1);
  });
});

describe("a transport fault", () => {
  test("reset-before-head resets before any byte", async () => {
    await expect(answerWith("reset-before-head")).rejects.toThrow(/ECONNRESET|socket hang up/u);
  });

  test.each(["reset-mid-event", "truncate"])("%s ends the body inside an event", async (id) => {
    const { applied, body, end } = await answerWith(id);
    expect(applied).toBe(true);
    expect(end).toBe("ECONNRESET");
    expect(textOf(plain.body).startsWith(textOf(body))).toBe(true);
    expect(body.toString("latin1").endsWith("\n\n")).toBe(false);
  });

  test("stall sends half an event and then nothing until the client leaves", async () => {
    await withServer({ fault: "stall" }, async (server) => {
      const leave = new AbortController();
      const response = await fetch(`${server.url}/.api/search/stream?q=needle`, {
        headers: { authorization: `token ${server.token}` },
        signal: leave.signal,
      });
      const reader = response.body?.getReader();
      let text = "";
      while (!text.includes("event: matches")) {
        text += Buffer.from((await reader?.read())?.value ?? []).toString("latin1");
      }
      expect(text.endsWith("\n\n")).toBe(false);
      expect(server.journal().at(-1)).toMatchObject({ end: "open", faultApplied: true, fault: "stall" });
      leave.abort();
      await expect.poll(() => server.journal().at(-1)?.end).toBe("client-left");
    });
  });

  test.each([
    { id: "html-200", status: 200, type: "text/html; charset=utf-8", body: /^<!doctype html>/u },
    { id: "empty-body", status: 200, type: "text/event-stream", body: /^$/u },
    { id: "status-500", status: 500, type: "text/plain; charset=utf-8", body: /^$/u },
  ])("$id answers something else", async ({ body, id, status, type }) => {
    const answer = await answerWith(id);
    expect({ status: answer.status, type: answer.headers["content-type"] }).toEqual({ status, type });
    expect(answer.body.toString("utf8")).toMatch(body);
  });
});

describe("a legal variation", () => {
  test("one-burst and trickle slow the configured number of searches", async () => {
    for (const id of ["one-burst", "trickle"]) {
      const applied = await withServer({ fault: { id, params: { ms: 1, searches: 1 } } }, async (server) => {
        const answers = [await rawSearch(server, "qwertz"), await rawSearch(server, "needle")];
        answers.push(await rawSearch(server, "needle"));
        expect(answers.map(({ end }) => end)).toEqual(["complete", "complete", "complete"]);
        return server.journal().map(({ faultApplied }) => faultApplied);
      });
      expect(applied).toEqual([false, true, false]);
    }
  });

  test("one-byte-chunks arrives byte by byte", async () => {
    const { pieces } = await answerWith({ id: "one-byte-chunks", params: { bytes: 500 } });
    expect(pieces.slice(0, 500)).toEqual(Array.from({ length: 500 }, () => 1));
  });

  test.each([
    { fault: "new-fields", sign: /"addedLater":true/u },
    { fault: "unlisted-event", sign: /event: notice\n/u },
    { fault: "data-before-event", sign: /^data: .*\nevent: filters\n\n/u },
    { fault: "no-space-after-colon", sign: /^event:filters\ndata:\[/u },
    { fault: "hunks-array", sign: /"hunks":\[\]/u },
    { fault: "alert-after-final", sign: /"done":true.*\n\nevent: alert\n.*\n\nevent: done\n/u },
    { fault: { id: "large-event", params: { bytes: 100_000 } }, sign: /"debug":"x{100000}"/u },
  ])("$fault shows in the bytes and ends with done", async ({ fault, sign }) => {
    const { applied, body } = await answerWith(fault);
    expect(applied).toBe(true);
    expect(textOf(body)).toMatch(sign);
    expect(textOf(body)).toMatch(/event: ?done\n(?:data: ?\{\}\n)?\n$/u);
  });
});

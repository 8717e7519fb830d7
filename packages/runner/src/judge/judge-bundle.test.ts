import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { defined, isStreamRuleId, ruleIds } from "@assay/contract";
import { createBundleWriter, createRedactor, readBundle } from "@assay/evidence";
import type { Bundle, Footer, Manifest, RecordedExchange } from "@assay/evidence";
import { stringifyRunResult } from "@assay/results";
import { afterAll, describe, expect, test } from "vitest";
import { draftOf, fixture, goodStream, recorded } from "../testing/recorded.ts";
import { recordedRun } from "../testing/recorded-run.ts";
import { catalogueDigest, openApiDigest } from "./catalogue-digest.ts";
import { createTimelines } from "../timelines/create-timelines.ts";
import type { StreamArrival } from "../timelines/stream-arrival.ts";
import { bundleNotes, judgeBundle, judgeBundleCalls, judgeBundleSearches, judgeBundleShare } from "./judge-bundle.ts";

const manifest: Manifest = {
  schemaVersion: 1,
  runId: "run-1",
  tool: { name: "assay", version: "0.0.0" },
  startedAt: "2026-01-02T03:04:05.000Z",
  target: { url: "http://code.example", access: "private", embedded: false },
  profile: "smoke",
  seed: 7,
  // One is left out: a run of chosen rules has no floor.
  rules: ruleIds.filter(isStreamRuleId).slice(1),
  strict: false,
  digests: { catalogue: catalogueDigest(), openapi: openApiDigest() },
};
const footer: Footer = { exchanges: 1, bodies: 1, exchangesSha256: "", ended: "complete" };

const bundleOf = (other: Partial<Bundle> = {}): Bundle => ({
  manifest,
  footer,
  isComplete: true,
  problems: [],
  exchanges: [recorded({ body: goodStream })],
  ...other,
});

describe("a stored run", () => {
  test("that is complete passes", async () => {
    expect(await judgeBundle(bundleOf())).toMatchObject({
      outcome: "passed",
      run: { id: "run-1", target: "http://code.example", profile: "smoke", seed: 7, strict: false, embedded: false },
    });
  });

  test("that --bail stopped demands no rule, and says of those that were not tested what stopped it", async () => {
    const reason = "--bail stopped the run, because 1 rule failed: stream/two-fields";
    const unsent = [{ interface: "stream", probe: "oauth-token", cause: "bail", reason }] as const;
    const bailed = bundleOf({
      manifest: { ...manifest, profile: "release", rules: [...ruleIds] },
      footer: { ...footer, ended: "stopped", cause: "bail", reason, unsent },
      exchanges: [recorded({ body: goodStream.toString().replace("\n\n", "\n\n: ping\n\n") })],
    });
    const { outcome, incomplete, verdicts } = await judgeBundle(bailed);
    expect([outcome, incomplete]).toEqual(["failed", [{ code: "bail", message: reason }]]);
    const untested = verdicts.filter(({ verdict }) => verdict.outcome === "not-tested");

    expect(untested.map(({ rule }) => rule)).toContain("stream/oauth-token-is-accepted");
    expect(untested.map(({ mustTest, verdict }) => ({ mustTest, verdict }))).toEqual(
      untested.map(() => ({ mustTest: false, verdict: { outcome: "not-tested", reason: "stopped by --bail" } })),
    );
  });

  const given = "the time was used up";
  test.each<{ name: string; reason: string; other: Partial<Bundle> }>([
    {
      name: "that took too long",
      reason: given,
      other: { footer: { ...footer, ended: "stopped", cause: "deadline", reason: given } },
    },
    {
      name: "whose searches broke off",
      reason: given,
      other: { footer: { ...footer, ended: "stopped", cause: "broken-searches", reason: given } },
    },
    {
      name: "that was interrupted",
      reason: "the run was interrupted before all was sent; run it again",
      other: { footer: { ...footer, ended: "interrupted", reason: "SIGINT" } },
    },
    {
      name: "whose evidence is not whole",
      reason: "the evidence is incomplete: no footer",
      other: { isComplete: false, problems: ["no footer"] },
    },
  ])("$name says so of each rule that was not tested", async ({ reason, other }) => {
    const { verdicts } = await judgeBundle(bundleOf({ manifest: { ...manifest, rules: [...ruleIds] }, ...other }));
    const reasons = verdicts.flatMap(({ verdict }) => (verdict.outcome === "not-tested" ? [verdict.reason] : []));
    expect(new Set(reasons)).toEqual(new Set([reason]));
  });

  test("of all rules of a profile has tested too little with one search; a recording has not", async () => {
    const matches = Array.from({ length: 5 }, (_, index) => ({
      type: "content",
      path: `file-${index}`,
      pathMatches: [],
      repositoryID: 1,
      repository: "one",
      repoStars: 1,
      repoLastFetched: "2026-01-01T00:00:00Z",
      branches: ["main"],
      commit: "a".repeat(40),
      hunks: null,
      lineMatches: [{ line: "a test", lineNumber: 1, offsetAndLengths: [[2, 4]] }],
      language: "Go",
    }));
    const progress = { done: true, matchCount: 5, repositoriesCount: 1, durationMs: 1, skipped: [] };
    const body = `event: matches\ndata: ${JSON.stringify(matches)}\n\nevent: progress\ndata: ${JSON.stringify(progress)}\n\nevent: done\ndata: {}\n\n`;
    const whole = bundleOf({
      manifest: { ...manifest, profile: "gate", rules: ruleIds.filter(isStreamRuleId) },
      exchanges: [recorded({ body })],
    });
    const { incomplete, ...run } = await judgeBundle(whole);
    expect([run.exitCode, incomplete.map(({ code }) => code)]).toEqual([3, ["too-few-tested"]]);
    expect(await judgeBundle(whole, { isRecording: true })).toMatchObject({ outcome: "passed" });
  });

  test.each([
    {
      name: "without a footer",
      other: { isComplete: false, problems: ["footer.json is missing"] },
      expected: { outcome: "incomplete", exitCode: 3 },
    },
    {
      name: "that was stopped",
      other: { footer: { ...footer, ended: "stopped", reason: "the time was used up" } },
      expected: {
        outcome: "incomplete",
        exitCode: 3,
        incomplete: [{ code: "deadline", message: "the time was used up" }],
      },
    },
    {
      name: "that was interrupted",
      other: { footer: { ...footer, ended: "interrupted", reason: "SIGINT" } },
      expected: { outcome: "interrupted", exitCode: 130 },
    },
    {
      name: "that was terminated",
      other: { footer: { ...footer, ended: "interrupted", reason: "SIGTERM" } },
      expected: { outcome: "interrupted", exitCode: 143 },
    },
    { name: "without any exchange", other: { exchanges: [] }, expected: { outcome: "incomplete", exitCode: 3 } },
    {
      name: "without any rule",
      other: { manifest: { ...manifest, rules: [] } },
      expected: { outcome: "incomplete", exitCode: 3 },
    },
    {
      name: "whose rules are all unknown today",
      other: { manifest: { ...manifest, rules: ["stream/of-tomorrow", "__proto__"] } },
      expected: { outcome: "incomplete", exitCode: 3 },
    },
    {
      name: "whose profile demands more than it saw",
      other: { manifest: { ...manifest, profile: "release" } },
      expected: { outcome: "incomplete", exitCode: 3 },
    },
  ] as const)("$name is not green", async ({ other, expected }) => {
    expect(await judgeBundle(bundleOf(other))).toMatchObject(expected);
  });

  test("that is incomplete and breaks a rule fails", async () => {
    const exchanges = [recorded({ body: fixture("violates.lines-end-with-lf.crlf.sse") })];
    expect(await judgeBundle(bundleOf({ isComplete: false, problems: ["torn"], exchanges }))).toMatchObject({
      exitCode: 1,
    });
  });

  test("with an unknown profile is refused", async () => {
    await expect(judgeBundle(bundleOf({ manifest: { ...manifest, profile: "gat" } }))).rejects.toThrow(
      "did you mean `gate`?",
    );
  });

  test("is judged by other rules when they are given", async () => {
    const { verdicts } = await judgeBundle(bundleOf(), { rules: ["stream/done-is-last"] });
    expect(verdicts.map(({ rule, mustTest }) => [rule, mustTest])).toEqual([["stream/done-is-last", true]]);
  });

  test("is judged strictly when asked, and as it was recorded otherwise", async () => {
    const exchanges = [recorded({ body: fixture("warns.match-count-never-falls.falls.sse") })];
    const strict = { ...manifest, strict: true };
    expect(await judgeBundle(bundleOf({ exchanges }))).toMatchObject({ exitCode: 0, run: { strict: false } });
    expect(await judgeBundle(bundleOf({ exchanges }), { strict: true })).toMatchObject({
      exitCode: 1,
      run: { strict: true },
    });
    expect(await judgeBundle(bundleOf({ exchanges, manifest: strict }))).toMatchObject({ exitCode: 1 });
  });
});

describe("notes on a stored run", () => {
  test("are none for one of these rules without problems", () => {
    expect(bundleNotes(bundleOf())).toEqual([]);
  });

  test.each([
    { name: "rules", digests: { ...manifest.digests, catalogue: "0" } },
    { name: "schemas", digests: { ...manifest.digests, openapi: "0" } },
  ])("say that other $name judged it then, and what is wrong with it", ({ digests }) => {
    const notes = bundleNotes({ manifest: { ...manifest, digests }, problems: ["torn"] });
    expect(notes).toEqual([expect.stringContaining("another version of the rules"), "torn"]);
  });
});

describe("judging", () => {
  const folder = mkdtempSync(join(tmpdir(), "assay-runner-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test("the same bytes twice gives the same bytes of results", async () => {
    const directory = join(folder, "run");
    const redactor = createRedactor({ secrets: [], key: Buffer.alloc(32, 7) });
    const writer = await createBundleWriter({ directory, manifest: { ...manifest, profile: "gate" }, redactor });
    const bodies = ["conforms.data-before-event.sse", "violates.two-fields.html-page.sse", "conforms.zero-matches.sse"];
    for (const [index, name] of bodies.entries()) {
      await writer.writeExchange(draftOf({ id: `000${index}`, probe: "search", body: fixture(name) }));
    }
    await writer.writeExchange(draftOf({ id: "0009", credential: "none", status: 401, body: "no" }));
    await writer.close({ ended: "complete" });
    const first = await judgeBundle(await readBundle(directory));
    const second = await judgeBundle(await readBundle(directory));
    expect(stringifyRunResult(first)).toBe(stringifyRunResult(second));
    expect(first.counts.failed).toBeGreaterThan(0);
  });

  // One byte cuts the streams into two shares.
  test.each([{ maxShareBytes: 1 }, {}])("two threads give the same bytes of results as one: %j", async (options) => {
    const { bundle, close } = await recordedRun("recorded-open-run");
    const secondShare = structuredClone(judgeBundleShare(bundle, options));
    const calls = structuredClone(await judgeBundleCalls(bundle, options));
    const otherThread = { secondShare: Promise.resolve(secondShare), calls: Promise.resolve(calls) };
    const [one, two] = [await judgeBundle(bundle, options), await judgeBundle(bundle, { ...options, otherThread })];
    expect(stringifyRunResult(two)).toBe(stringifyRunResult(one));
    expect(stringifyRunResult(one)).toBe(stringifyRunResult(await judgeBundle(bundle)));
    expect([secondShare === undefined, calls.proofs.size > 0]).toEqual([options.maxShareBytes === undefined, true]);
    close();
  });

  /** Returns a bundle without its last calls, a complete one, and the number of times that a large stream is read to its end. */
  function bundleBeforeEnd(bundle: Bundle): { early: Bundle; late: Bundle; reads: () => number } {
    let reads = 0;
    // In pieces, of which only the first are read to decide whether a response is a stream.
    function* readToEnd({ chunks }: RecordedExchange): ReturnType<typeof chunks> {
      for (const { bytes, atMicros } of chunks()) {
        for (let at = 0; at < bytes.length; at += 1000) {
          yield { bytes: bytes.subarray(at, at + 1000), atMicros };
        }
      }
      reads += 1;
    }
    const exchanges = bundle.exchanges.map((exchange) => {
      const isLarge = (exchange.record.response?.body.bytes ?? 0) > 20_000;
      return exchange.record.interface === "stream" && isLarge
        ? { ...exchange, chunks: () => readToEnd(exchange) }
        : exchange;
    });
    const early = exchanges.filter(({ record }) => record.interface === "stream" || record.id < "10020");
    return {
      early: { ...bundle, exchanges: early, isComplete: false, problems: ["footer.json is missing"] },
      late: { ...bundle, exchanges },
      reads: () => reads,
    };
  }

  test.each([
    { name: "are not judged again", before: {}, after: {}, judged: "early" },
    { name: "are confirmed at the end", before: { confirmsPasses: false }, after: {}, judged: "early" },
    { name: "are not confirmed", before: {}, after: { confirmsPasses: false }, judged: "early" },
    {
      name: "of a large run are judged at its end",
      before: { maxShareBytes: 1 },
      after: { maxShareBytes: 1 },
      judged: "late",
    },
  ])("searches that were judged early give the same results, and $name", async ({ before, after, judged }) => {
    const { bundle, close } = await recordedRun("recorded-open-run");
    const { early, late, reads } = bundleBeforeEnd(bundle);
    const judgedSearches = await judgeBundleSearches(early, before);
    const readsBefore = reads();
    const secondShare = Promise.resolve(judgeBundleShare(bundle, after));
    const otherThread = { secondShare, calls: judgeBundleCalls(bundle, after) };
    const result = await judgeBundle(late, { ...after, otherThread, ...defined({ judgedSearches }) });
    expect(readsBefore > 0).toBe(judged === "early");
    expect(reads() > readsBefore).toBe(judged === "late");
    expect(stringifyRunResult(result)).toBe(stringifyRunResult(await judgeBundle(late, after)));
    close();
  });

  test("a run with another search than those that were judged early is judged from the beginning", async () => {
    const bundle = bundleOf({ exchanges: [recorded({ body: goodStream }), recorded({ id: "2", body: "no stream" })] });
    const judgedSearches = await judgeBundleSearches(bundleOf());
    const otherThread = { secondShare: Promise.resolve(undefined), calls: judgeBundleCalls(bundle) };
    const result = await judgeBundle(bundle, { otherThread, ...defined({ judgedSearches }) });
    expect(stringifyRunResult(result)).toBe(stringifyRunResult(await judgeBundle(bundle)));
    expect(result.exchanges.map(({ id }) => id)).toContain("2");
  });

  test("a run with a damaged stream is judged in one thread, because the other one does not compare digests", async () => {
    const directory = join(folder, "damaged");
    const redactor = createRedactor({ secrets: [], key: Buffer.alloc(32, 7) });
    const writer = await createBundleWriter({ directory, manifest: { ...manifest, profile: "gate" }, redactor });
    await writer.writeExchange(draftOf({ id: "0001", probe: "search", body: goodStream }));
    const { response } = await writer.writeExchange(
      draftOf({ id: "0002", probe: "search", body: fixture("conforms.zero-matches.sse") }),
    );
    await writer.close({ ended: "complete" });
    const { sha256 = "", bytes = 0 } = response?.body ?? {};
    writeFileSync(join(directory, "bodies", sha256), "x".repeat(bytes));
    const [bundle, unchecked] = [await readBundle(directory), await readBundle(directory, {}, () => false)];
    const options = { maxShareBytes: 1 };
    const otherThread = {
      secondShare: Promise.resolve(judgeBundleShare(unchecked, options)),
      calls: judgeBundleCalls(unchecked, options),
    };
    const result = await judgeBundle(bundle, { ...options, otherThread });
    expect(stringifyRunResult(result)).toBe(stringifyRunResult(await judgeBundle(bundle, options)));
    expect(bundle.problems).toEqual([`the body ${sha256} does not match its digest`]);
    expect(unchecked.problems).toEqual([]);
  });

  test("long streams are drawn while they are judged, in either thread, as from their bytes", async () => {
    const long = `${`: ${"x".repeat(1000)}\n`.repeat(1100)}${goodStream.toString()}`;
    const bundle = bundleOf({
      exchanges: [recorded({ body: goodStream }), recorded({ id: "2", body: long }), recorded({ id: "3", body: long })],
    });
    const arrivals = new Map<string, StreamArrival>();
    const otherThread = {
      secondShare: Promise.resolve(structuredClone(judgeBundleShare(bundle, { maxShareBytes: 1 }))),
      calls: judgeBundleCalls(bundle),
    };
    const result = await judgeBundle(bundle, { maxShareBytes: 1, otherThread, arrivals });
    expect([...arrivals.keys()]).toEqual(["2", "3"]);
    expect(createTimelines(bundle, result, arrivals)).toEqual(createTimelines(bundle, result));
  });

  test("a run is judged in one thread if the other could not judge its share", async () => {
    const bundle = bundleOf({ exchanges: [recorded({ body: goodStream }), recorded({ id: "2", body: goodStream })] });
    const otherThread = { secondShare: Promise.resolve(undefined), calls: judgeBundleCalls(bundle) };
    const result = await judgeBundle(bundle, { maxShareBytes: 1, otherThread });
    expect(stringifyRunResult(result)).toBe(stringifyRunResult(await judgeBundle(bundle)));
  });

  test("says what was left out of a run, from what was stored, and does not pass", async () => {
    const directory = join(folder, "left-out");
    const redactor = createRedactor({ secrets: [], key: Buffer.alloc(32, 7) });
    const rules = ["legacy/cancel-is-accepted", "stream/done-is-last"];
    const writer = await createBundleWriter({ directory, manifest: { ...manifest, rules }, redactor });
    await writer.writeExchange(draftOf({ body: goodStream }));
    const reason = "no more questions are asked because the target answered with status 429";
    await writer.close({
      ended: "complete",
      unsent: [{ interface: "legacy", probe: "cancel", cause: "busy", reason }],
    });
    const result = await judgeBundle(await readBundle(directory));
    expect([result.outcome, result.exitCode]).toEqual(["incomplete", 3]);
    expect(result.summary).toContain(reason);
    expect(result.verdicts.find(({ rule }) => rule === "legacy/cancel-is-accepted")?.verdict).toEqual({
      outcome: "blocked",
      blockedBy: "transport",
      missing: `requests that were not sent (${reason})`,
    });
  });

  test("depends on nothing but the digests of what judges", () => {
    expect([catalogueDigest(), openApiDigest()]).toEqual([catalogueDigest(), openApiDigest()]);
    expect(catalogueDigest()).toMatch(/^[0-9a-f]{64}$/u);
    expect(openApiDigest()).not.toBe(catalogueDigest());
  });
});

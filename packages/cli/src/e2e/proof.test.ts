import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { RunResult } from "@assay/results";
import { beforeAll, describe, expect, test } from "vitest";
import { callAssay } from "../testing/call-assay.ts";
import { sharedRepository } from "../testing/git-repository.ts";
import { temporaryFolder } from "../testing/temporary-folder.ts";

const cwd = temporaryFolder();
const repository = sharedRepository();
const call = (...args: readonly string[]) => callAssay(args, { cwd });
const verdictsOf = (run: string): RunResult => JSON.parse(readFileSync(join(cwd, run, "verdicts.json"), "utf8"));
const run = (out: string, ...more: readonly string[]) =>
  call("run", "--repo", repository, "--rule", "stream/*", "--out", out, ...more);

beforeAll(async () => {
  await run("good");
});

describe("a run", () => {
  test("has no passed rule that the responses could not fail", () => {
    const held = verdictsOf("good").verdicts.filter(({ verdict }) => verdict.outcome === "passed");
    expect(held.length).toBeGreaterThan(50);
    expect(held.filter(({ proof = [] }) => proof.length === 0).map(({ rule }) => rule)).toEqual([]);
    expect(
      held.flatMap(({ rule, proof = [] }) =>
        proof.flatMap(({ mutation, confirmed, isOptional }) =>
          confirmed === undefined && isOptional !== true ? [rule, mutation] : [],
        ),
      ),
    ).toEqual([]);
  });

  test("names the missing evidence if a rule could not have failed", () => {
    const unproven = verdictsOf("good").verdicts.filter(
      ({ proof = [], verdict }) => proof.length > 0 && verdict.outcome === "not-tested",
    );
    for (const { verdict } of unproven) {
      expect(verdict).toMatchObject({ reason: expect.stringMatching(/needs .+/u) });
    }
  });

  test("gives the same bytes when it is judged again", async () => {
    const before = readFileSync(join(cwd, "good", "verdicts.json"));
    expect((await call("judge", "good", "--out", "again")).code).toBe(0);
    expect(readFileSync(join(cwd, "again", "verdicts.json")).equals(before)).toBe(true);
  });

  test("proves nothing with --no-proof, nor when it is judged again", async () => {
    await run("unproven", "--no-proof");
    await call("judge", "unproven", "--out", "unproven-again");
    for (const folder of ["unproven", "unproven-again"]) {
      expect(verdictsOf(folder).verdicts.filter(({ proof }) => proof !== undefined)).toEqual([]);
      expect(verdictsOf(folder).summary).not.toContain("confirmed");
    }
  });

  test("with the profile release refuses --no-proof", async () => {
    expect(await run("refused", "--profile", "release", "--no-proof")).toMatchObject({
      code: 2,
      err: expect.stringContaining("the profile `release` requires"),
    });
  });
});

describe("assay explain", () => {
  test("shows each way to ignore a sentence with the bytes that would have failed the rule", async () => {
    const { code, out } = await call("explain", "good", "done-is-last");
    expect(code).toBe(0);
    for (const part of [
      "stream/done-is-last  (stated)",
      "✓ a target that sends no `done`",
      "confirmed: if the target had sent no `done`",
      String.raw`event: done\ndata: {}\n\n`,
    ]) {
      expect(out).toContain(part);
    }
  });

  test("as JSON has the same", async () => {
    const { out } = await call("explain", "good", "stream/done-is-last", "--json");
    expect(JSON.parse(out)).toMatchObject({
      verdict: { rule: "stream/done-is-last" },
      mutations: expect.arrayContaining([expect.objectContaining({ mutation: "sends no `done`" })]),
    });
  });

  test.each([
    [["good", "done-is-lost"], 2, "unknown rule `done-is-lost`"],
    [["good", "created-at-is-stable"], 2, "is ambiguous; use one of"],
    [["good", "legacy/create-is-accepted"], 2, "the run did not select"],
    [["nowhere", "done-is-last"], 2, "nowhere"],
  ] as const)("of %j ends with %i", async (args, code, says) => {
    const ended = await call("explain", ...args);
    expect([ended.code, ended.out]).toEqual([code, ""]);
    expect(ended.err).toContain(says);
  });
});

/** Mutations without evidence from the reference server and its repository: members that a target may leave out. */
const withoutEvidence = [
  "stream/content-match-fits-schema: sends `repoStars` of a content match in another type",
  "stream/progress-fits-schema: sends `trace` of a progress in another type",
  "stream/progress-fits-schema: sends an empty `trace` in a progress",
  "stream/repositories-count-covers-matches: counts one repository of several",
  // No suggested filter counts several files completely.
  "stream/filter-count-fits-matches: counts one match for a filter of several files",
  "stream/invalid-token-is-refused: accepts searches with the credential `invalid-oauth-token`",
  // A run sends these searches again only if they find nothing.
  "stream/suggested-filter-finds-matches: finds nothing with a filter for a language that it suggested",
  "stream/suggested-filter-finds-matches: finds nothing with a filter of another kind that it suggested",
  // There is one repository.
  "stream/suggested-filter-narrows: ignores a filter for a repository that it suggested",
  // No line is cut within a character.
  "stream/max-line-len-cuts-lines: cuts lines within a character",
  // Looked at within the time in which it may still be there.
  "legacy/deleted-is-gone: accepts a question in a deleted conversation",
  "current/deleted-is-gone: accepts a question in a deleted conversation",
];

/** Mutations with evidence only at some speeds of the machine. */
const timed: ReadonlySet<string> = new Set([
  // At least one search must take longer than 1 ms, or 3 ms.
  "stream/duration-fits-clock: sends its duration in microseconds",
  "stream/duration-is-in-milliseconds: sends its duration in nanoseconds",
  // A cancellation must arrive in time.
  "legacy/other-user-may-not-write: refuses another user's cancel but carries it out",
  "current/other-user-may-not-write: refuses another user's cancel but carries it out",
  // Fewer conversations may change while the pages are read than are missing on them.
  "legacy/pages-do-not-overlap: leaves a conversation out of a page after the first",
  "current/pages-do-not-overlap: leaves a conversation out of a page after the first",
]);

// Asks questions through both interfaces, which takes some seconds.
test(
  "every way to ignore a sentence makes its rule fail on a run against the reference server",
  { tags: "proof", timeout: 60_000 },
  async () => {
    await call("run", "--repo", repository, "--out", "whole", "--parallel", "1");
    const { verdicts } = verdictsOf("whole");
    const ways = verdicts.flatMap(({ rule, proof = [] }) =>
      proof.map((mutation) => ({ name: `${rule}: ${mutation.mutation}`, ...mutation })),
    );
    expect(verdicts.filter(({ verdict }) => verdict.outcome === "failed")).toEqual([]);
    expect(ways.length).toBeGreaterThan(390);
    const unproven = ways.flatMap(({ name, confirmed }) => (confirmed === undefined ? [name] : []));
    expect(unproven.filter((name) => !timed.has(name))).toEqual(withoutEvidence);
  },
);

import { join } from "node:path";
import { ruleCatalogue, ruleIds } from "@assay/contract";
import { listFaults, startServer } from "@assay/reference-server";
import { describe, expect, test } from "vitest";
import { makeRepository } from "../testing/git-repository.ts";
import { runInProcess, speaking } from "../testing/run-in-process.ts";
import { temporaryFolder } from "../testing/temporary-folder.ts";

const folder = temporaryFolder();
const repo = [makeRepository(folder)];
const faults = listFaults();
const basisOf = new Map<string, string>(ruleCatalogue.map(({ id, basis }) => [id, basis]));

/** What a fault of a kind comes to: a violation fails, or only warns of what is not promised; a new value does neither. */
const exitCodes: Readonly<Record<string, number>> = { stated: 1, schema: 1, derived: 1, inferred: 0, observed: 0 };

const mutants = faults.flatMap(({ id, attacks, kind }) =>
  attacks === undefined ? [] : [{ fault: id, kind, rule: attacks, exitCode: exitCodes[basisOf.get(attacks) ?? ""] }],
);

/** Slow or large in every search: their six plain searches show as much as all of them. */
const costly = new Set(["late-start", "large-event", "stall"]);

const runWith = (fault: string, other: Parameters<typeof runInProcess>[0]) =>
  runInProcess({ repo, fault, profile: costly.has(fault) ? "smoke" : "gate", ...other });

describe("the unmodified server", () => {
  test.each([
    { access: "private", notApplicable: ["stream/anonymous-search-is-accepted"] },
    { access: "public", notApplicable: ["stream/missing-token-is-refused", "stream/invalid-token-is-refused"] },
  ])("makes no rule speak and shows every rule that applies when it is $access", async ({ access, notApplicable }) => {
    const { exitCode, result } = await runInProcess({ out: join(folder, access), repo, access });
    expect([exitCode, speaking(result)]).toEqual([0, []]);
    const unseen = result.verdicts.filter(({ verdict }) => verdict.outcome !== "passed");
    expect(unseen.map(({ rule, verdict }) => [rule, verdict.outcome])).toEqual(
      notApplicable.map((rule) => [rule, "not-applicable"]),
    );
  });

  test("passes the profile that demands most", async () => {
    const { exitCode } = await runInProcess({ out: join(folder, "release"), repo, profile: "release", strict: true });
    expect(exitCode).toBe(0);
  });

  test("that sends values as instances in the field do fails nothing", async () => {
    const server = await startServer({ repos: repo, seed: 1 });
    const env = { ASSAY_TOKEN: server.tokens.access, ASSAY_OAUTH_TOKEN: server.tokens.oauth };
    const out = join(folder, "field");
    const { exitCode, result } = await runInProcess({ out, url: server.url, access: "private", strict: true }, env);
    await server.close();
    expect([exitCode, result.counts.failed, result.counts.warned]).toEqual([0, 0, 0]);
    expect(speaking(result).filter((rule) => basisOf.get(rule) !== "observed")).toEqual([]);
  });
});

describe("a mutant", () => {
  test("exists for every rule", () => {
    expect(ruleIds.filter((id) => !mutants.some(({ rule }) => rule === id))).toEqual([]);
  });

  test.concurrent.each(mutants)("$fault is killed by $rule and by no other rule", async ({ fault, rule, exitCode }) => {
    const { exitCode: seen, result } = await runWith(fault, { out: join(folder, fault) });
    expect([speaking(result), seen]).toEqual([[rule], exitCode]);
  });

  test.concurrent.each(mutants.filter(({ rule }) => basisOf.get(rule) === "inferred"))(
    "$fault fails a strict run",
    async ({ fault, rule }) => {
      const { exitCode, result } = await runWith(fault, { out: join(folder, `strict-${fault}`), strict: true });
      expect([speaking(result), exitCode]).toEqual([[rule], 1]);
    },
  );
});

describe("a legal variation", () => {
  const variations = faults.filter(({ kind }) => kind === "legal").map(({ id }) => ({ fault: id }));
  test.concurrent.each(variations)("$fault makes no rule speak", async ({ fault }) => {
    const { exitCode, result } = await runWith(fault, { out: join(folder, fault) });
    expect([speaking(result), exitCode]).toEqual([[], 0]);
  });
});

describe("a broken exchange", () => {
  /** An empty body that ended in good order is a stream without `done`; all else says nothing about the contract. */
  const spoken: Readonly<Record<string, readonly string[]>> = { "empty-body": ["stream/done-is-last"] };
  const broken = faults
    .filter(({ kind }) => kind === "transport")
    .map(({ id }) => ({ fault: id, rules: spoken[id] ?? [], exitCode: id in spoken ? 1 : 3 }));

  test.concurrent.each(broken)("$fault ends with exit code $exitCode", async ({ fault, rules, exitCode }) => {
    const { exitCode: seen, result } = await runWith(fault, { out: join(folder, fault), timeout: 3 });
    expect([speaking(result), seen]).toEqual([rules, exitCode]);
    expect(result.incomplete).not.toEqual([]);
  });

  test.concurrent("whose time is up before all was sent is incomplete", async () => {
    const { exitCode, result } = await runInProcess({
      out: join(folder, "late"),
      repo,
      fault: "late-start",
      timeout: 2,
    });
    expect([exitCode, speaking(result), result.incomplete[0]?.code]).toEqual([3, [], "deadline"]);
  });
});

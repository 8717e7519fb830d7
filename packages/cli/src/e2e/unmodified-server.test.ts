import { join } from "node:path";
import { everyNth } from "@assay/tools/proving";
import { ruleCatalogue } from "@assay/contract";
import { describe, expect, test } from "vitest";
import { sharedRepository } from "../testing/git-repository.ts";
import { serverHost } from "../testing/hosted-server.ts";
import { judgeInProcess, speaking } from "../testing/run-in-process.ts";
import { temporaryFolder } from "../testing/temporary-folder.ts";

const folder = temporaryFolder();
const startServer = serverHost();
const repo = [sharedRepository()];
const basisOf = new Map<string, string>(ruleCatalogue.map(({ id, basis }) => [id, basis]));
const timed = "stream/results-arrive-incrementally";
/** No search of so small a code reaches a limit of the server's own; one with such a limit shows it in the kill matrix. */
const unlimited = "stream/cut-results-are-named";
const hidden: ReadonlySet<string> = new Set([timed, unlimited]);

describe("the unmodified server", () => {
  test.each(
    everyNth(
      [
        { access: "private" as const, notApplicable: ["stream/anonymous-search-is-accepted"] },
        {
          access: "public" as const,
          notApplicable: [
            "stream/missing-token-is-refused",
            "stream/invalid-token-is-refused",
            "stream/scope-is-required",
          ],
        },
      ],
      2,
    ),
  )(
    "makes no rule speak and shows every rule that applies when it is $access",
    { tags: "more" },
    async ({ access, notApplicable }) => {
      const { exitCode, result } = await judgeInProcess({ out: join(folder, access), repo, access });
      expect([exitCode, speaking(result)]).toEqual([0, []]);
      const unseen = result.verdicts.filter(({ verdict }) => verdict.outcome !== "passed").map(({ rule }) => rule);
      // A fast search cannot show that results arrive before its end; a slow one does, below.
      expect(unseen.filter((rule) => !hidden.has(rule)).toSorted()).toEqual(notApplicable.toSorted());
    },
  );

  // A run about conversations does so in `npm test`, with every token.
  test("passes the profile that demands most", { tags: "proof" }, async () => {
    const { exitCode } = await judgeInProcess({ out: join(folder, "release"), repo, profile: "release", strict: true });
    expect(exitCode).toBe(0);
  });

  test("is seen to deliver results while it searches when it is slow", async () => {
    const server = await startServer({ repos: repo, fault: { id: "trickle" }, vocabulary: "observed" });
    const env = { ASSAY_TOKEN: server.tokens.access };
    const rule = [timed];
    const { exitCode, result } = await judgeInProcess({ out: join(folder, "slow"), url: server.url, rule }, env);
    await server.close();
    expect([exitCode, result.counts.passed]).toEqual([0, 1]);
  });
});

describe("the server with the vocabulary of real instances", () => {
  const runInField = async (name: string, knownFailures: readonly string[]) => {
    const server = await startServer({ repos: repo, seed: 1 });
    const env = { ASSAY_TOKEN: server.tokens.access, ASSAY_OAUTH_TOKEN: server.tokens.oauth };
    const options = {
      out: join(folder, name),
      url: server.url,
      access: "private",
      knownFailures,
      strict: true,
    } as const;
    const run = await judgeInProcess(options, env);
    await server.close();
    return run;
  };

  test("differs from the vocabulary of the specifications only in known places", async () => {
    const { exitCode, result } = await runInField("field", []);
    const failed = result.verdicts.filter(({ verdict }) => verdict.outcome === "failed").map(({ rule }) => rule);
    expect([exitCode, failed, result.counts.warned]).toEqual([
      1,
      ["stream/chunk-match-has-context", "stream/final-progress-counts-repositories"],
      0,
    ]);
    const noted = speaking(result).filter((rule) => !failed.includes(rule));
    expect(noted.filter((rule) => basisOf.get(rule) !== "observed")).toEqual([]);
  });

  test("passes with the list `field`", async () => {
    const { exitCode, result } = await runInField("known", ["field"]);
    expect([exitCode, result.outcome]).toEqual([0, "passed"]);
    expect(result.counts).toMatchObject({ failed: 0, warned: 0, "known-failure": 2, fixed: 0 });
    expect(result.knownFailureNotes).not.toEqual([]);
  });
});

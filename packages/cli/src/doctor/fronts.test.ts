import { everyNth } from "@assay/tools/proving";
import { describe, expect, test } from "vitest";
import { sharedRepository } from "../testing/git-repository.ts";
import { httpTarget } from "../testing/target.ts";
import { examined, serverFor, tokensOf } from "./testing/examined.ts";
import type { Examined } from "./testing/examined.ts";
import { buffering } from "./testing/front-proxy.ts";

const repo = sharedRepository();

const problemsOf = ({ report }: Examined): readonly string[] =>
  report.checks.filter(({ status }) => status === "problem").map(({ id, found }) => `${id}: ${found}`);

test("a proxy that holds back a search that is too quick to show it is neither a problem nor fine", async () => {
  const server = await serverFor(repo);
  const seen = await examined({}, tokensOf(server, await httpTarget(buffering(server.url))));
  expect([seen.line("buffering"), problemsOf(seen), seen.code]).toEqual([
    expect.stringMatching(/^could-not-tell: the searches were too fast/u),
    [],
    0,
  ]);
});

describe("an unmodified server has no problem", () => {
  test.concurrent.each(everyNth(["instant", "laptop", "staging"] as const, 2))(
    "with the latency %s",
    { tags: "more" },
    async (latency) => {
      const server = await serverFor(repo, { latency });
      const seen = await examined({}, tokensOf(server));
      expect(`${seen.code} ${problemsOf(seen).join("; ")}`).toBe("0 ");
      expect(seen.line("buffering")).toMatch(/^(?:fine|could-not-tell): /u);
    },
  );

  test.concurrent.each(everyNth([1, 2, 3, 4, 5, 6, 7, 8], 4))(
    "with every freedom of the specifications, seed %i",
    { tags: "more" },
    async (seed) => {
      const server = await serverFor(repo, { seed, variations: true });
      const seen = await examined({}, tokensOf(server));
      expect(`${seen.code} ${problemsOf(seen).join("; ")}`).toBe("0 ");
    },
  );

  test.concurrent.each(["field", "observed"] as const)(
    "with the vocabulary %s, and for everybody",
    async (vocabulary) => {
      const server = await serverFor(repo, { vocabulary, access: "public" });
      const seen = await examined({ access: "public" }, tokensOf(server));
      expect(`${seen.code} ${problemsOf(seen).join("; ")}`).toBe("0 ");
    },
  );

  const oddities = [
    "one-byte-chunks:bytes=200",
    "late-start:delayMs=300",
    "slow-first-match:delayMs=300",
    "unlisted-event",
    "data-before-event",
    "no-space-after-colon",
    "new-fields",
    "alert-after-final",
    "large-event:bytes=2000000",
    "legacy-list-envelope",
    "conversation-other-content-type",
    "conversation-new-members",
  ];
  test.concurrent.each(everyNth(oddities, 3))("and the permitted oddity %s", { tags: "more" }, async (fault) => {
    const server = await serverFor(repo, { fault });
    const seen = await examined({}, tokensOf(server));
    expect(`${seen.code} ${problemsOf(seen).join("; ")}`).toBe("0 ");
  });
});

import type { RunningServer } from "@assay/reference-server";
import type { DoctorCheckId } from "@assay/results";
import { everyNth } from "@assay/tools/proving";
import { describe, expect, test } from "vitest";
import { sharedRepository } from "../testing/git-repository.ts";
import { httpTarget } from "../testing/target.ts";
import { adviceOf, examined, examinedUntil, serverFor } from "./testing/examined.ts";
import type { Examined, ResultOrBusy } from "./testing/examined.ts";
import { buffering, gzipping, passing } from "./testing/front-proxy.ts";

const repo = sharedRepository();

/** Searches long enough for a conclusive result, even on a machine that is busy with other tests. */
const slow = (fault: string) => serverFor(repo, { fault: `${fault}:ms=1200,searches=99` });

/** One token is enough: each further one would cause another slow search. */
const tokenOf = ({ token }: RunningServer, url: string) => ({ SRC_ENDPOINT: url, SRC_ACCESS_TOKEN: token });

/** The findings of a conclusive result. On a busy machine late arrivals prove nothing. */
const examinedUntilTold = (
  env: NodeJS.ProcessEnv,
  checks: readonly DoctorCheckId[] = ["buffering"],
): Promise<ResultOrBusy> =>
  examinedUntil(
    (seen) => checks.every((id) => !seen.line(id).startsWith("could-not-tell")),
    (out) => examined({ out }, env),
  );

const problemsOf = ({ report }: Examined): readonly string[] =>
  report.checks.filter(({ status }) => status === "problem").map(({ id, found }) => `${id}: ${found}`);

describe("a slow search", () => {
  test.concurrent("whose stream arrives while it runs is reported as such, compressed or not", async () => {
    const server = await slow("trickle");
    const seen = await examinedUntilTold(tokenOf(server, server.url), ["buffering", "compression"]);
    expect([seen.line("buffering"), seen.line("compression"), seen.code]).toEqual([
      seen.found(/^fine: [1-3] of 3 streams arrived while the search ran, up to [1-9]\d{3,} ms before its end$/u),
      seen.found(/^fine: "gzip", flushed: [12] of 2/u),
      0,
    ]);
  });

  test.concurrent.each(everyNth(["one-burst", "compressed-and-buffered"], 2))(
    "whose stream is held back (%s) is a problem",
    { tags: "more" },
    async (fault) => {
      const server = await slow(fault);
      const seen = await examinedUntilTold(tokenOf(server, server.url));
      expect([seen.line("buffering"), seen.code]).toEqual([
        seen.found(/^problem: held back: [1-3] of 3: .* over [1-9]\d{3,} ms, but it arrived within \d+ ms$/u),
        seen.ends(1),
      ]);
    },
  );
});

describe("a real proxy in front of a slow search", () => {
  test.concurrent("that forwards everything is reported, but not as a problem", async () => {
    const server = await slow("trickle");
    const seen = await examinedUntilTold(tokenOf(server, await httpTarget(passing(server.url))));
    expect([seen.line("buffering"), seen.line("front"), problemsOf(seen), seen.code]).toEqual([
      seen.found(/^fine: [1-3] of 3 streams arrived while the search ran/u),
      "note: a proxy or cache (via: 1.1 front)",
      [],
      0,
    ]);
  });

  test.concurrent.each(
    everyNth(
      [
        { name: "until there are 32 kB of it", bytes: 32 * 1024 },
        { name: "until it is complete", bytes: Number.POSITIVE_INFINITY },
      ],
      2,
    ),
  )("that holds the stream back $name is found, with what to do about it", { tags: "more" }, async ({ bytes }) => {
    const server = await slow("trickle");
    const seen = await examinedUntilTold(tokenOf(server, await httpTarget(buffering(server.url, bytes))));
    expect([seen.line("buffering"), adviceOf(seen, "buffering"), seen.code]).toEqual([
      seen.found(/^problem: held back: [1-3] of 3: .* over [1-9]\d{3,} ms, but it arrived within \d+ ms$/u),
      seen.found(/proxy_buffering off/u, /^/u),
      seen.ends(1),
    ]);
  });

  test.concurrent("that compresses without flushing is found only if the client accepts gzip", async () => {
    const server = await slow("trickle");
    const seen = await examinedUntilTold(tokenOf(server, await httpTarget(gzipping(server.url))), [
      "buffering",
      "compression",
    ]);
    expect([seen.line("buffering"), seen.line("compression"), seen.code]).toEqual([
      seen.found(/^fine: /u),
      seen.found(/^problem: "gzip" holds the stream back: [12] of 2/u),
      seen.ends(1),
    ]);
  });
});

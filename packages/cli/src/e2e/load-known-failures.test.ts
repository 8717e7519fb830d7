import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { everyNth } from "@assay/tools/proving";
import type { LoadResult } from "@assay/results";
import { beforeAll, describe, expect, test } from "vitest";
import { callAssay } from "../testing/call-assay.ts";
import { sharedRepository } from "../testing/git-repository.ts";
import { hasK6 } from "../testing/has-k6.ts";
import { type HostedServer, serverHost } from "../testing/hosted-server.ts";
import { temporaryFolder } from "../testing/temporary-folder.ts";

const cwd = temporaryFolder();
const repos = [sharedRepository()];
const startServer = serverHost();

const reason = "The proxy sends a comment as keep-alive.";
const list = (...entries: readonly string[]): string =>
  [`# ${reason}`, "# owner: platform   expires: 2999-12-31", ...entries, ""].join("\n");
const comment = "stream/two-fields:comment  *";
const lists: Readonly<Record<string, string>> = {
  "known.txt": list(comment),
  "stale.txt": list(comment, "stream/text-is-utf-8  *"),
  "other-finding.txt": list("stream/two-fields:id-field  *"),
  "expired.txt": list(comment).replace("2999", "2001"),
  "elsewhere.txt": list("stream/two-fields:comment  https://other.example.com"),
};

const resultIn = (folder: string): LoadResult => JSON.parse(readFileSync(join(cwd, folder, "load.json"), "utf8"));

/** Codes of reasons but one: a machine that is busy with other tests may make the figures untrusted. */
const codesOf = ({ incomplete }: LoadResult): readonly string[] =>
  incomplete.map(({ code }) => code).filter((code) => code !== "invalid-load");

const title = hasK6() ? "" : " (skipped: no k6)";

describe.skipIf(!hasK6())(`a load on a target that sends comments${title}`, () => {
  let server: HostedServer;
  beforeAll(async () => {
    for (const [name, text] of Object.entries(lists)) {
      writeFileSync(join(cwd, name), text);
    }
    server = await startServer({ repos, vocabulary: "observed", fault: "comment" });
  });

  /** Runs a short load in this process. */
  async function load(out: string, ...more: readonly string[]) {
    const args = ["--duration", "4s", "--warmup", "0s", "--rate", "4", "--query", "test", "--seed", "1"];
    const ended = await callAssay(["load", "search-first-match", ...args, "--url", server.url, "--out", out, ...more], {
      cwd,
      env: { PATH: process.env["PATH"] ?? "", ASSAY_TOKEN: server.token },
    });
    return { ...ended, result: resultIn(out) };
  }

  test("passes if that is known, and shows the reason everywhere", async () => {
    const { code, out, result } = await load("known", "--known-failures", "known.txt");
    expect([0, 3]).toContain(code);
    expect([codesOf(result), result.violations, result.judgement?.broken]).toEqual([[], {}, []]);
    expect(result.outcomes["stream"]?.violation).toBeUndefined();
    expect(Object.keys(result.knownViolations ?? {})).toEqual(["comment"]);
    expect(result.canary?.failed).toEqual([]);
    expect(result.judgement?.known).toMatchObject([
      { rule: "stream/two-fields", known: { status: "known-failure", reason, source: "known.txt", line: 3 } },
    ]);
    const files = ["summary.md", "junit.xml", "report.html"].map((name) =>
      readFileSync(join(cwd, "known", name), "utf8"),
    );
    expect([out, ...files].filter((text) => !text.replaceAll("\\", "").includes("comment as keep"))).toEqual([]);
    expect(files[1]).not.toContain("<failure");
    const again = await callAssay(["judge", "known"], { cwd });
    expect([again.code, again.out.includes(reason)]).toEqual([0, true]);
    // The removed exchange may have been the one that fails a rule.
    const kept = join(cwd, "known", "exchanges");
    const gone = readdirSync(kept).find((name) => name.endsWith(".bin")) ?? "";
    rmSync(join(kept, gone));
    const without = await callAssay(["judge", "known"], { cwd });
    expect([without.code, without.out]).toEqual([3, expect.stringContaining("not on the disk")]);
  });

  const red = [
    { name: "an entry is stale", args: ["stale.txt"], says: "is fixed: remove its entry" },
    { name: "an entry names another finding", args: ["other-finding.txt"], says: "the findings were `comment`" },
    { name: "an entry has expired", args: ["expired.txt"], says: "expired on 2001-12-31" },
    {
      name: "an entry has expired and no exchange is judged",
      args: ["expired.txt", "--keep-mb", "0", "--no-canary"],
      says: "expired on 2001-12-31",
    },
    { name: "the list is for another target", args: ["elsewhere.txt"], says: "comment" },
  ];
  test.each(everyNth(red, 3))("is red where $name", { tags: "more" }, async ({ name, args, says }) => {
    const { code, out, result } = await load(name, "--known-failures", ...args);
    expect([code, result.outcome, out.replaceAll(/\s+/gu, " ").includes(says)]).toEqual([1, "failed", true]);
    expect(readFileSync(join(cwd, name, "junit.xml"), "utf8")).toMatch(/<(?:failure|error)[ >]/u);
  });
});

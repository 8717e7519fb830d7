import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { defaultQuery } from "@assay/runner";
import { expect, test } from "vitest";
import { sharedRepository } from "../testing/git-repository.ts";
import { httpTarget } from "../testing/target.ts";
import { temporaryFolder } from "../testing/temporary-folder.ts";
import { testContext } from "../testing/test-context.ts";
import { runAgainstTarget } from "./run-session.ts";

const cwd = temporaryFolder();
const repository = sharedRepository();

const oneRule = {
  rule: ["two-fields"],
  profile: "gate",
  query: defaultQuery,
  timeout: 600,
  parallel: 4,
  seed: 1,
  proof: true,
  // Says when it begins to judge.
  verbose: true,
} as const;

/** A run that is interrupted when it writes something. */
async function interruptedAt(out: string, signal: "SIGINT" | "SIGTERM", told: { err?: RegExp; out?: RegExp }) {
  const controller = new AbortController();
  const written = { out: "", err: "" };
  const tell = (name: "out" | "err") => (text: string) => {
    written[name] += text;
    if (told[name]?.test(text) === true) {
      controller.abort(signal);
    }
  };
  const context = testContext({ cwd, signal: controller.signal, out: tell("out"), err: tell("err") });
  const exitCode = await runAgainstTarget({ ...oneRule, out, repo: [repository] }, context);
  return { exitCode, ...written };
}

test.each([
  { signal: "SIGINT", code: 130 },
  { signal: "SIGTERM", code: 143 },
] as const)(
  "$signal while judging ends a run with $code, says how to judge it, and leaves no verdict",
  async ({ signal, code }) => {
    const { exitCode, out, err } = await interruptedAt(signal, signal, { err: /^judging/u });
    expect([exitCode, out]).toEqual([code, ""]);
    expect(err).toContain(
      `interrupted by ${signal} while judging; \`assay judge ${signal}\` judges what was recorded\n`,
    );
    expect(["footer.json", "verdicts.json"].map((file) => existsSync(join(cwd, signal, file)))).toEqual([true, false]);
    expect(readFileSync(join(cwd, signal, "log.ndjson"), "utf8")).toContain(`"exitCode":${code}`);
  },
);

test("SIGINT while its results are written ends a run with 130", async () => {
  const { exitCode, err } = await interruptedAt("written", "SIGINT", { out: /PASSED/u });
  expect([exitCode, err]).toEqual([130, expect.stringContaining("interrupted by SIGINT while rendering")]);
});

test("a secret in a file of a run that is interrupted while judging is found all the same", async () => {
  const token = "sgp_0123456789abcdef0123456789abcdef01234567";
  const url = await httpTarget((_request, response) => void response.end("event: done\ndata: {}\n\n"));
  const leak = join(cwd, "leaking/leak.txt");
  const controller = new AbortController();
  const told: string[] = [];
  const err = (text: string): void => {
    told.push(text);
    if (text.startsWith("judging")) {
      writeFileSync(leak, `x ${token} x`);
      controller.abort("SIGINT");
    }
  };
  const context = testContext({ cwd, signal: controller.signal, env: { ASSAY_TOKEN: token }, err });
  const exitCode = await runAgainstTarget({ ...oneRule, out: "leaking", url }, context);
  expect([exitCode, existsSync(leak)]).toEqual([70, false]);
  expect(told.join("")).toContain(
    "while judging; `assay judge leaking` judges what was recorded; a secret was found in leak.txt",
  );
});

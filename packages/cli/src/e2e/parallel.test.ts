import { readFileSync } from "node:fs";
import { join } from "node:path";
import { everyNth } from "@assay/tools/proving";
import type { RuleVerdict, RunResult } from "@assay/results";
import { expect, test } from "vitest";
import { sharedRepository } from "../testing/git-repository.ts";
import { serverHost } from "../testing/hosted-server.ts";
import { judgeInProcess } from "../testing/run-in-process.ts";
import { temporaryFolder } from "../testing/temporary-folder.ts";

const folder = temporaryFolder();
const startServer = serverHost();
const repo = [sharedRepository()];

/** Whether results arrived early depends on time, which differs between two runs. */
const timed = "stream/results-arrive-incrementally";

const judgedLine = ({ rule, verdict }: RuleVerdict): string => {
  const findings =
    "findings" in verdict ? verdict.findings.map(({ message, exchange }) => `${exchange} ${message}`) : [];
  const seen = "observations" in verdict ? verdict.observations : "";
  return [rule, verdict.outcome, seen, ...findings].join(" | ");
};

/** Everything about a run that must be the same: its conclusion, and each verdict with its counts and findings. */
const comparable = ({ outcome, exitCode, incomplete, verdicts, unspecified }: RunResult): readonly string[] => [
  `${outcome} ${exitCode}`,
  ...incomplete.map(({ code, message }) => `${code} ${message}`),
  ...verdicts.filter(({ rule }) => rule !== timed).map((verdict) => judgedLine(verdict)),
  ...unspecified.map(({ behaviour, seen }) => `${behaviour}: ${seen.map(({ message }) => message).join("; ")}`),
];

const probesOf = (name: string): readonly string[] =>
  readFileSync(join(folder, name, "exchanges.ndjson"), "utf8")
    .trim()
    .split("\n")
    .map((line) => `${JSON.parse(line).id} ${JSON.parse(line).probe}`);

const servers = [
  { name: "a server without a fault", fault: undefined, exitCode: 0 },
  { name: "a violation in every stream", fault: "comment", exitCode: 1 },
  { name: "a violation that two searches show together", fault: "cl-ignored", exitCode: 1 },
  { name: "answers that are none", fault: "html-200", exitCode: 3 },
];

test.each(everyNth(servers, 3))(
  "verdicts are the same one by one and eight at a time: $name",
  { tags: "more" },
  async ({ fault, exitCode }) => {
    const server = await startServer({
      repos: repo,
      seed: 1,
      vocabulary: "observed",
      latency: "laptop",
      ...(fault === undefined ? {} : { fault: { id: fault } }),
    });
    const env = { ASSAY_TOKEN: server.tokens.access, ASSAY_OAUTH_TOKEN: server.tokens.oauth };
    const runWith = (parallel: number) =>
      judgeInProcess({ out: join(folder, `${fault}-${parallel}`), url: server.url, access: "private", parallel }, env);
    const one = await runWith(1);
    const eight = await runWith(8);
    await server.close();
    expect(comparable(eight.result)).toEqual(comparable(one.result));
    expect([one.exitCode, eight.exitCode]).toEqual([exitCode, exitCode]);
    const inOrder = probesOf(`${fault}-1`);
    expect(probesOf(`${fault}-8`).toSorted()).toEqual(inOrder);
  },
);

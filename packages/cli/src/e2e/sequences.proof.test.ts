/** @module-tag proof */

import { join } from "node:path";
import { drawSample, repetitions } from "@assay/tools/proving";
import { readBundle } from "@assay/evidence";
import type { ServerOptions } from "@assay/reference-server";
import { expect, test } from "vitest";
import { sharedRepository } from "../testing/git-repository.ts";
import { serverHost } from "../testing/hosted-server.ts";
import { judgeServer } from "../testing/run-in-process.ts";
import { temporaryFolder } from "../testing/temporary-folder.ts";

const folder = temporaryFolder();
const startServer = serverHost();

/** Legal variations of conversations: ways in which a correct server may differ. */
const legalVariations = [
  "current-answer-too-early",
  "current-follow-up-answered-with-question",
  "current-late-cancellation-accepted",
  "current-name-of-self",
  "current-read-after-delete",
  "conversation-answer-on-failure",
  "conversation-basic-times",
  "conversation-busy",
  "conversation-ids-beyond-2-53",
  "conversation-never-in-progress",
  "conversation-rate-limited-once",
  "legacy-followups-left-out",
  "legacy-late-cancellation-accepted",
  "legacy-pending-first",
  "legacy-read-after-delete",
  "legacy-turns-kept",
  "migration-later",
  "migration-opaque-names",
] as const;

interface PermittedServer {
  readonly name: string;
  readonly options: Partial<ServerOptions>;
}

const permittedServers: readonly PermittedServer[] = [
  ...legalVariations.map((id) => ({ name: `with ${id}`, options: { fault: id } })),
  ...Array.from({ length: 10 }, (_, seed) => ({
    name: `that varies every response with the seed ${seed}`,
    options: { variations: true, seed },
  })),
];

/**
 * Sequences for each server. With `ASSAY_SEQUENCES`, as many as wanted: 400 on each of the 28 servers are about 100,000 commands, and
 * take a night.
 */
const sequences = Number(process.env["ASSAY_SEQUENCES"] ?? repetitions(8, 36));

test.each(drawSample(permittedServers, 14))("generated sequences fail no server $name", async ({ name, options }) => {
  const server = await startServer({
    repos: [sharedRepository()],
    seed: 1,
    vocabulary: "observed",
    latencyFactor: 0.5,
    ...options,
  });
  const out = join(folder, name.replaceAll(" ", "-"));
  const { result } = await judgeServer(server, {
    out,
    sharing: "on",
    interface: ["legacy", "current"],
    sequences,
    questions: 100 + 4 * sequences,
    timeout: 36_000,
    proof: false,
  });
  await server.close();
  const { exchanges } = await readBundle(out);
  const sent = exchanges.filter(({ record }) => record.probe === "sequences");
  expect(sent.length).toBeGreaterThan(4 * sequences);
  expect(
    result.verdicts.flatMap(({ rule, verdict }) =>
      verdict.outcome === "failed" ? [`${rule}: ${JSON.stringify(verdict).slice(0, 500)}`] : [],
    ),
  ).toEqual([]);
});

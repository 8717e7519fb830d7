import type { ClientTrial } from "@assay/results";
import { trialLabel } from "@assay/results";
import { afterAll, beforeAll, expect, test } from "vitest";
import { packageFile, tryClient } from "./testing/tried-client.ts";
import { conversationTrials } from "./conversation-trials.ts";
import { searchTrials } from "./search-trials.ts";
import { makeTrialRepository, type TrialRepository } from "./trial-repository.ts";

let repository: TrialRepository;

beforeAll(async () => {
  repository = await makeTrialRepository();
});

afterAll(() => repository.remove());

const searches = searchTrials.map(({ name }) => name);
const questions = [...new Set(conversationTrials.map(({ name }) => `${name}/current`))];

interface RealClient {
  readonly name: string;
  readonly only: readonly string[];
}

/** A client that never ends is tried in a few trials only, and one that leaves trials out in one of them. */
const clients: readonly RealClient[] = [
  {
    name: "eventsource-naive",
    only: ["ordinary-search", "odd-chunks", "open-after-done", "alert", "missing-done", "refused-token", "quota/legacy"],
  },
  { name: "eventsource-closing", only: [...searches, "quota/legacy"] },
  { name: "fetch-event-source-naive", only: searches },
  { name: "fetch-event-source-careful", only: searches },
  { name: "connect-node-naive", only: questions },
  { name: "connect-node-careful", only: [...questions, "ordinary-search", "quota/legacy"] },
];

/** Everything but the number of observations and the words, which tell of times. */
const verdictsOf = (tried: readonly ClientTrial[]): unknown =>
  Object.fromEntries(
    tried.map((trial) => [
      trialLabel(trial),
      {
        participation: trial.participation,
        end: trial.end,
        checks: Object.fromEntries(trial.checks.map(({ check, verdict }) => [check, verdict.outcome])),
      },
    ]),
  );

test.each(clients)("$name comes to the verdicts that are written down", async ({ name, only }) => {
  const command = [process.execPath, packageFile(`clients/${name}.js`)];
  const tried = await tryClient({ command, repository, only, parallel: 6 });
  await expect(`${JSON.stringify(verdictsOf(tried), undefined, 2)}\n`).toMatchFileSnapshot(
    packageFile(`fixtures/expected/${name}.json`),
  );
});

import { everyNth } from "@assay/config/proving";
import type { ClientTrial } from "@assay/results";
import { trialLabel } from "@assay/results";
import { afterAll, beforeAll, expect, test } from "vitest";
import { packageFile, tryClient } from "./testing/tried-client.ts";
import { conversationTrials } from "./conversation-trials.ts";
import { makeTrialRepository, type TrialRepository } from "./trial-repository.ts";

let repository: TrialRepository;

beforeAll(async () => {
  repository = await makeTrialRepository();
});

afterAll(() => repository.remove());

interface RealClient {
  readonly name: string;
  readonly only: readonly string[];
}

/** What goes well with one client that looks at it and badly with another that does not. */
const endings = [
  "open-after-done",
  "alert",
  "error-event",
  "missing-done",
  "dropped-connection",
  "refused-token",
  "too-many-requests",
  "redirect",
];

/** A client that leaves trials out is seen to do so in one of them. */
const clients: readonly RealClient[] = [
  { name: "eventsource-naive", only: ["ordinary-search", "open-after-done", "alert", "missing-done", "refused-token"] },
  { name: "eventsource-closing", only: ["ordinary-search", "odd-chunks", "large-event", ...endings, "quota/legacy"] },
  { name: "fetch-event-source-naive", only: endings },
  { name: "fetch-event-source-careful", only: ["odd-chunks", "unusual-form", ...endings] },
  {
    name: "connect-node-naive",
    only: ["polling-completed/current", "polling-failure/current", "polling-too-fast/current"],
  },
  { name: "connect-node-careful", only: [...conversationTrials.map(({ name }) => `${name}/current`), "quota/legacy"] },
];

/**
 * The outcome of a check. How often a client looks before the answer is there depends on how busy this machine is, and with it
 * whether its pauses are seen.
 */
const outcomeOf = ({ check, verdict: { outcome } }: ClientTrial["checks"][number]): string =>
  check === "polling/interval" && outcome === "not-tested" ? "passed" : outcome;

/** Everything but the number of observations and the words, which tell of times. */
const verdictsOf = (tried: readonly ClientTrial[]): unknown =>
  Object.fromEntries(
    tried.map((trial) => [
      trialLabel(trial),
      {
        participation: trial.participation,
        end: trial.end,
        checks: Object.fromEntries(trial.checks.map((judged) => [judged.check, outcomeOf(judged)])),
      },
    ]),
  );

// One for searches and one for conversations, and all when proving.
test.each(everyNth(clients, 6))(
  "$name comes to the verdicts that are written down",
  { tags: "more" },
  async ({ name, only }) => {
    const command = [process.execPath, packageFile(`clients/${name}.js`)];
    const tried = await tryClient({ command, repository, only, parallel: 6 });
    await expect(`${JSON.stringify(verdictsOf(tried), undefined, 2)}\n`).toMatchFileSnapshot(
      packageFile(`fixtures/expected/${name}.json`),
    );
  },
);

import { everyNth } from "@assay/tools/proving";
import type { ClientTrial } from "@assay/results";
import { formatTrialLabel } from "@assay/results";
import { afterAll, beforeAll, expect, test } from "vitest";
import { packageFile, tryClient } from "./testing/tried-client.ts";
import { conversationTrials } from "./conversation-trials.ts";
import { createTrialRepository, type TrialRepository } from "./trial-repository.ts";

let repository: TrialRepository;

beforeAll(async () => {
  repository = await createTrialRepository();
});

afterAll(() => repository.remove());

interface RealClient {
  readonly name: string;
  readonly only: readonly string[];
}

/** Trials that a careful client passes and a naive one fails. */
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

/** Clients that skip trials have one such trial here. */
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

/** The outcome of a check. The number of polls depends on how busy the machine is, so their pauses may not be tested. */
const outcomeOf = ({ check, verdict: { outcome } }: ClientTrial["checks"][number]): string =>
  check === "polling/interval" && outcome === "not-tested" ? "passed" : outcome;

/** Everything except counts and messages, which contain times. */
const verdictsOf = (tried: readonly ClientTrial[]): unknown =>
  Object.fromEntries(
    tried.map((trial) => [
      formatTrialLabel(trial),
      {
        participation: trial.participation,
        end: trial.end,
        checks: Object.fromEntries(trial.checks.map((judged) => [judged.check, outcomeOf(judged)])),
      },
    ]),
  );

// `npm test` runs one for searches and one for conversations, `npm run prove` the others.
test.each(everyNth(clients, 6))("$name gets the expected verdicts", { tags: "more" }, async ({ name, only }) => {
  const command = [process.execPath, packageFile(`clients/${name}.js`)];
  const tried = await tryClient({ command, repository, only, parallel: 6 });
  await expect(`${JSON.stringify(verdictsOf(tried), undefined, 2)}\n`).toMatchFileSnapshot(
    packageFile(`fixtures/expected/${name}.json`),
  );
});

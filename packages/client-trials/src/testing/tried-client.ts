import { fileURLToPath } from "node:url";
import { createOutputCache } from "@assay/reference-server";
import type { ClientTrial } from "@assay/results";
import { trialSeed } from "../drive-trial.ts";
import { judgeTrial } from "../judge-trial.ts";
import { runTrials } from "../run-trials.ts";
import { trials } from "../trial-list.ts";
import type { TrialRepository } from "../trial-repository.ts";
import type { Trial } from "../trial.ts";

/** A file of this package. */
export const packageFile = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url));

export interface TriedClient {
  readonly command: readonly string[];
  readonly repository: TrialRepository;
  readonly env?: Readonly<Record<string, string>>;
  /** Names of trials [all]. A name with an interface, such as `cancel/legacy`, selects one of two trials. */
  readonly only?: readonly string[];
  readonly parallel?: number;
  readonly timeoutMs?: number;
  readonly lingerMs?: number;
  readonly seed?: number;
  /** Makes every server vary its answers. */
  readonly variations?: true;
}

/** Shared by all tests, because they do not change the repository. */
const outputs = createOutputCache();

const isMeant = ({ interface: name, name: trial }: Trial, only: readonly string[] | undefined): boolean =>
  only === undefined || only.includes(trial) || only.includes(`${trial}/${name}`);

/** Runs trials of a client and judges them. */
export const tryClient = async ({
  command,
  env = {},
  lingerMs = 4000,
  only,
  parallel = 3,
  repository,
  seed = trialSeed,
  timeoutMs = 40_000,
  variations,
}: TriedClient): Promise<readonly ClientTrial[]> => {
  const ran = await runTrials({
    command,
    cwd: packageFile("."),
    env: { ...process.env, ...env },
    repository,
    outputs,
    timeoutMs,
    lingerMs,
    seed,
    signal: new AbortController().signal,
    trials: trials
      .filter((trial) => isMeant(trial, only))
      .map((trial) => (variations ? { ...trial, server: { ...trial.server, variations } } : trial)),
    parallel,
    onFinished: () => undefined,
  });
  return ran.map(({ record, trial }) => judgeTrial(trial, record));
};

/** Returns the verdict of each check that did not pass, such as `search/no-repeat failed in ordinary-search (stream)`. */
export const problemsOf = (tried: readonly ClientTrial[]): readonly string[] =>
  tried.flatMap(({ checks, interface: name, trial }) =>
    checks
      .filter(({ verdict }) => verdict.outcome !== "passed" && verdict.outcome !== "not-tested")
      .map(({ check, verdict }) => `${check} ${verdict.outcome} in ${trial} (${name})`),
  );

/** Returns the ids of the checks that failed or warned in any trial. */
export const failedChecks = (tried: readonly ClientTrial[]): readonly string[] => [
  ...new Set(
    tried.flatMap(({ checks }) =>
      checks.filter(({ verdict }) => ["failed", "warned"].includes(verdict.outcome)).map(({ check }) => check),
    ),
  ),
];

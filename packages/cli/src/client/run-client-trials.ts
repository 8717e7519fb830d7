import { HarnessError, defined } from "@assay/contract";
import { resolve } from "node:path";
import {
  judgeTrial,
  createTrialRepository,
  type CompletedTrial,
  runTrials,
  type Trial,
  type TrialRepository,
} from "@assay/client-trials";
import {
  formatCountedProgress,
  renderClient,
  renderClientAgent,
  renderClientJson,
  renderClientJunit,
  renderClientMarkdown,
} from "@assay/report";
import { type ClientReport, type ClientTrial, concludeClient, formatTrialLabel } from "@assay/results";
import type { CommandContext } from "../command-context.ts";
import { describeUnrenderedFiles, writeRendered } from "../rendered-files.ts";
import { findInterruptName } from "../interrupt-signal.ts";
import { hasProgress, renderForReporter } from "../reporter.ts";
import { startProgress } from "../start-progress.ts";
import { tool } from "../version.ts";
import { selectTrials } from "./select-trials.ts";
import type { ClientOptions } from "./client-options.ts";

const msPerSecond = 1000;

/** Creates the trial repository. With `--repo`, trials search the user's directory instead. */
const createRepositoryForTrials = async (
  { query, question, repo }: ClientOptions,
  { cwd }: CommandContext,
): Promise<TrialRepository> => {
  if (repo !== undefined && query === undefined) {
    throw new HarnessError("usage", "--repo requires --query; choose a query with matches in that repository");
  }
  const overrides = {
    // The built-in texts occur only in results of the built-in query.
    ...(query === undefined ? {} : { query, foundTexts: [], firstTexts: [] }),
    ...defined({ question }),
  };
  const repository = await createTrialRepository();
  return { ...repository, ...overrides, ...(repo === undefined ? {} : { directory: resolve(cwd, repo) }) };
};

interface TrialSetup {
  readonly command: readonly string[];
  readonly selectedTrials: readonly Trial[];
  readonly repository: TrialRepository;
  readonly options: ClientOptions;
}

/** The results of the trials, in the order of the selected trials. */
interface TrialResults {
  readonly completedTrials: readonly CompletedTrial[];
  readonly judgedTrials: readonly ClientTrial[];
}

const runSelectedTrials = async (
  { selectedTrials, command, options, repository }: TrialSetup,
  context: CommandContext,
): Promise<TrialResults> => {
  const { cwd, env, signal } = context;
  const progress = startProgress(hasProgress(options), context);
  const failedChecks = new Set<string>();
  const judgedTrials = new Map<CompletedTrial["record"], ClientTrial>();
  progress.state(formatCountedProgress(judgedTrials.size, selectedTrials.length, "trials"));
  const completedTrials = await runTrials({
    command,
    cwd,
    env,
    repository,
    signal,
    trials: selectedTrials,
    timeoutMs: options.timeout * msPerSecond,
    lingerMs: options.linger * msPerSecond,
    seed: options.seed,
    parallel: options.parallel,
    shouldStop: () => options.bail !== undefined && failedChecks.size >= options.bail,
    onFinished: (trial, record) => {
      const judgedTrial = judgeTrial(trial, record, options.strict ?? false);
      judgedTrials.set(record, judgedTrial);
      for (const { check, verdict } of judgedTrial.checks) {
        if (verdict.outcome === "failed") {
          failedChecks.add(check);
        }
      }
      const remark = `last ${formatTrialLabel({ trial: trial.name, interface: trial.interface })}`;
      progress.state({ ...formatCountedProgress(judgedTrials.size, selectedTrials.length, "trials"), remark });
    },
  }).finally(() => progress.end());
  return { completedTrials, judgedTrials: completedTrials.flatMap(({ record }) => judgedTrials.get(record) ?? []) };
};

interface ReportParts {
  readonly command: readonly string[];
  readonly options: ClientOptions;
  readonly startedAt: string;
  readonly trials: readonly ClientTrial[];
  /** Number of trials to run. */
  readonly plannedCount: number;
}

const createReport = (
  { command, options, plannedCount, startedAt, trials }: ReportParts,
  context: CommandContext,
): ClientReport => {
  const interrupted = findInterruptName(context.signal);
  const conclusion = concludeClient({
    trials,
    requestedTrials: options.trial === undefined ? [] : trials.map((trial) => formatTrialLabel(trial)),
    ...defined({ interrupted }),
    ...(options.bail === undefined ? {} : { bailedTrials: plannedCount - trials.length }),
  });
  return {
    schemaVersion: 2,
    tool,
    run: { startedAt, command, timeoutMs: options.timeout * msPerSecond, lingerMs: options.linger * msPerSecond },
    ...conclusion,
    trials,
  };
};

const writeFiles = async (
  report: ClientReport,
  completedTrials: readonly CompletedTrial[],
  folder: string,
): Promise<string> => {
  const failures = await writeRendered(folder, [
    { name: "client.json", render: () => renderClientJson(report) },
    {
      name: "records.json",
      render: () =>
        `${JSON.stringify(
          completedTrials.map(({ record }) => record),
          undefined,
          2,
        )}\n`,
    },
    { name: "junit.xml", render: () => renderClientJunit(report) },
    { name: "summary.md", render: () => renderClientMarkdown(report) },
  ]);
  return describeUnrenderedFiles(failures);
};

/** Tests a client, prints the result and returns the exit code. Throws a `HarnessError` if the client cannot be started. */
export const runClientTrials = async (
  command: readonly string[],
  options: ClientOptions,
  context: CommandContext,
): Promise<number> => {
  if (command.length === 0) {
    throw new HarnessError(
      "usage",
      "pass the command of your client after `--`, for example `assay client -- node my-client.js`",
    );
  }
  const selectedTrials = selectTrials(options);
  const startedAt = new Date().toISOString();
  const repository = await createRepositoryForTrials(options, context);
  try {
    const { completedTrials, judgedTrials } = await runSelectedTrials(
      { command, selectedTrials, options, repository },
      context,
    );
    const report = createReport(
      { command, options, plannedCount: selectedTrials.length, startedAt, trials: judgedTrials },
      context,
    );
    const { out, err, cwd, terminal } = context;
    out(
      renderForReporter(options, {
        json: () => renderClientJson(report),
        quiet: () => renderClientAgent(report),
        text: (showAllChecks) => renderClient(report, { ...terminal, showAllChecks }),
      }),
    );
    if (options.out !== undefined) {
      err(await writeFiles(report, completedTrials, resolve(cwd, options.out)));
    }
    return report.exitCode;
  } finally {
    await repository.remove();
  }
};

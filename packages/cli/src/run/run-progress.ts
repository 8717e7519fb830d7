import { defined } from "@assay/contract";
import type { ExchangeRecord } from "@assay/evidence";
import { createProgressReporter } from "@assay/report";
import type { ProgressReporter } from "@assay/report";
import type { ConverseListener, DriveListener, OnJudgeProgress } from "@assay/runner";
import type { LoggedRequest } from "@assay/results";
import type { CommandContext } from "../command-context.ts";
import { showJudging } from "../judge/judging-state.ts";
import { hasProgress, selectReporter } from "../reporter.ts";
import { startProgress } from "../start-progress.ts";
import type { RunLog } from "./run-log.ts";
import type { RunOptions } from "./run-options.ts";

/** Progress of a run, from driving to judging. */
export interface RunProgress extends DriveListener, Required<ConverseListener> {
  /** Shows that judging begins. Returns the listener for its progress. */
  judging(): OnJudgeProgress;
  end(): void;
}

interface ProgressOptions {
  readonly options: RunOptions;
  readonly log: RunLog;
  /** Estimated number of probes. */
  readonly probeCount: number;
}

/** Creates a listener that writes progress to the log, and to standard error if the reporter shows it. */
export function createProgressListener(
  { options, log, probeCount }: ProgressOptions,
  context: CommandContext,
): RunProgress {
  const progress = startProgress(hasProgress(options), context);
  const isVerbose = selectReporter(options) === "list";
  const reporter = createProgressReporter({ progress, expectedProbes: probeCount, isVerbose });
  const onStarted = ({ title }: { readonly title: string }): void => {
    log.add({ event: "probe-started", probe: title });
    reporter.probeStarted(title);
  };
  const onEnded = (
    { title }: { readonly title: string },
    record: ExchangeRecord,
    isComplete = record.end.kind === "complete",
  ): void => {
    log.add({ event: "probe-finished", ...createLoggedRequest(title, record, isComplete) });
    reporter.probeFinished({ name: title, ...describeFinishedExchange(record, isComplete) });
  };
  return {
    probeStarted: onStarted,
    probeFinished: onEnded,
    exchangeStarted: onStarted,
    exchangeRecorded: onEnded,
    // Skipped probes are in the evidence too: the rules they block report the reason.
    probeSkipped: ({ title }, reason) => {
      log.add({ event: "probe-skipped", probe: title, reason });
      reporter.probeSkipped(title);
    },
    questionAsked: (askedCount, allowedCount) =>
      log.add({
        event: "question-asked",
        asked: askedCount,
        ...(Number.isFinite(allowedCount) ? { allowed: allowedCount } : {}),
      }),
    judging: () => {
      log.add({ event: "judging" });
      progress.state({ text: "judging" });
      if (isVerbose) {
        progress.note("judging");
      }
      return showJudging(progress);
    },
    end: () => progress.end(),
  };
}

const createLoggedRequest = (title: string, record: ExchangeRecord, isComplete: boolean): LoggedRequest => {
  const { status, bytes, ms, httpStatus, failure } = describeFinishedExchange(record, isComplete);
  return {
    probe: title,
    exchange: record.id,
    interface: record.interface,
    operation: record.operation,
    status,
    ...defined({ httpStatus }),
    bytes,
    ms,
    ...defined({ failure }),
  };
};

function describeFinishedExchange(
  { response, end, times }: ExchangeRecord,
  isComplete: boolean,
): Omit<Parameters<ProgressReporter["probeFinished"]>[0], "name"> {
  const commonFields = { bytes: response?.body.bytes ?? 0, ms: (times.endedAtMicros - times.sentAtMicros) / 1000 };
  return end.kind === "complete" || isComplete
    ? { status: "complete", ...commonFields, ...(response === undefined ? {} : { httpStatus: response.status }) }
    : { status: "failed", failure: end.message, ...commonFields };
}

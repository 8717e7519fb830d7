import type { ExchangeRecord } from "@assay/evidence";
import { createProgressReporter } from "@assay/report";
import type { ProgressReporter } from "@assay/report";
import type { ConverseListener, DriveListener } from "@assay/runner";
import type { CommandContext } from "../command-context.ts";
import type { RunOptions } from "./run-options.ts";

/** Progress of a run: what driving tells, and the phases after it. */
export type RunProgress = DriveListener & Required<ConverseListener> & Pick<ProgressReporter, "judging" | "end">;

const silent: RunProgress = {
  probeStarted() {},
  probeFinished() {},
  exchangeStarted() {},
  exchangeRecorded() {},
  probeSkipped() {},
  questionAsked() {},
  judging() {},
  end() {},
};

/** Progress on standard error; none with `--quiet` or `--json`. */
export function progressListener({ quiet, json }: RunOptions, { terminal, err }: CommandContext): RunProgress {
  if (quiet === true || json === true) {
    return silent;
  }
  const { isTty, isCi, width } = terminal;
  const reporter = createProgressReporter({ stream: { columns: width, write: err, on() {} }, isTty, isCi });
  return {
    probeStarted: ({ title }) => reporter.probeStarted(title),
    probeFinished: ({ title }, record) => reporter.probeFinished({ name: title, ...finished(record) }),
    exchangeStarted: ({ title }) => reporter.probeStarted(title),
    exchangeRecorded: ({ title }, record) => reporter.probeFinished({ name: title, ...finished(record) }),
    // What a missing token or a spent budget kept from being sent shows as rules that were not observed.
    probeSkipped() {},
    questionAsked() {},
    judging: () => reporter.judging(),
    end: () => reporter.end(),
  };
}

function finished({
  response,
  end,
  times,
}: ExchangeRecord): Omit<Parameters<ProgressReporter["probeFinished"]>[0], "name"> {
  const common = { bytes: response?.body.bytes ?? 0, ms: (times.endedAtMicros - times.sentAtMicros) / 1000 };
  return end.kind === "complete"
    ? { status: "complete", ...common, ...(response === undefined ? {} : { httpStatus: response.status }) }
    : { status: "failed", failure: end.message, ...common };
}

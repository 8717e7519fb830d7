import { defined } from "@assay/contract";
import type { RuleId } from "@assay/contract";
import { parseBaseUrl } from "@assay/evidence";
import type { RecordedExchange } from "@assay/evidence";
import type { RunResult } from "@assay/results";
import {
  findAnswerGroup,
  testsInterfaces,
  judgeBundle,
  judgeExchanges,
  knownFailureList,
  findServedApi,
} from "@assay/runner";
import { tool } from "../version.ts";
import type { CheckInput } from "./check-input.ts";

/** Describes a recording as a run. Uses a fixed start time and seed, so that repeated checks of a file return the same run. */
export const describeRecordingRun = (file: string, strict: boolean): RunResult["run"] => ({
  id: "check",
  startedAt: "1970-01-01T00:00:00.000Z",
  target: file,
  embedded: false,
  profile: "check",
  seed: 0,
  strict,
});

/** Input for judging a recording. */
export interface RecordingJudgeInput {
  readonly file: string;
  readonly settings: Parameters<typeof judgeExchanges>[0]["settings"];
  /** Settings from the command line. They override the stored settings of a run. */
  readonly judgeOptions: NonNullable<Parameters<typeof judgeBundle>[1]>;
}

/** Returns the rules for the interfaces in the recording. Other rules would only be reported as not tested. */
function selectRelevantRules(exchanges: readonly RecordedExchange[], rules: readonly RuleId[]): readonly RuleId[] {
  const recordedInterfaces = new Set<string>(exchanges.map(({ record }) => record.interface));
  const relevantRules = rules.filter((id) => testsInterfaces(id, recordedInterfaces));
  return relevantRules.length === 0 ? rules : relevantRules;
}

/** Reasons why a file is not a stream. Each completes "FILE …". */
const notAStreamReasons: Readonly<Partial<Record<ReturnType<typeof findAnswerGroup>, string>>> = {
  "web-page": "is a web page",
  "other-content": "is not a stream: it contains no events",
};

/** Returns why an input cannot be judged as a stream, completing "FILE …". Undefined for HAR files. A wrong file is a usage error, not a failed rule. */
function reasonNotAStream(recording: Exclude<CheckInput, { readonly kind: "bundle" }>): string | undefined {
  if (recording.kind !== "stream") {
    return recording.kind === "unreadable" ? recording.reason : undefined;
  }
  const [exchange] = recording.exchanges;
  const [firstChunk] = exchange?.chunks() ?? [];
  if (exchange === undefined || firstChunk === undefined || firstChunk.bytes.length === 0) {
    return "contains no stream bytes";
  }
  const group = findAnswerGroup(exchange);
  const status = exchange.record.response?.status;
  return group === "stream"
    ? undefined
    : (notAStreamReasons[group] ?? `is a response with status ${status}, not a stream`);
}

/**
 * Returns the target and date used to match known failures. A HAR file contains both. A stream contains neither: entries for all targets
 * apply, and expiry is checked against today.
 */
function selectKnownFailureRun(
  recording: CheckInput,
  file: string,
): NonNullable<Parameters<typeof judgeExchanges>[0]["knownFailureRun"]> {
  const today = new Date().toISOString();
  if (recording.kind !== "har") {
    return { target: file, startedAt: today };
  }
  const targets = [...new Set(recording.exchanges.flatMap(({ record }) => parseBaseUrl(record.request.url) ?? []))];
  return { target: file, ...(targets.length === 0 ? {} : { targets }), startedAt: recording.startedAt ?? today };
}

/** Judges a recording. If it contains nothing to judge, the result is incomplete and contains the reason. */
export async function judgeRecording(
  recording: CheckInput,
  { file, settings, judgeOptions }: RecordingJudgeInput,
): Promise<RunResult> {
  if (recording.kind === "bundle") {
    return judgeBundle(recording.bundle, judgeOptions);
  }
  const reason = reasonNotAStream(recording);
  const emptyMessage =
    reason === undefined
      ? `${file} contains neither a search nor a conversation API call`
      : `${file === "-" ? "standard input" : file} ${reason}; pass a recorded stream (.sse), a HAR file or a run folder`;
  const exchanges = reason === undefined ? recording.exchanges : [];
  return judgeExchanges({
    exchanges,
    settings: { ...settings, rules: selectRelevantRules(exchanges, settings.rules) },
    tool,
    run: describeRecordingRun(file, settings.strict),
    api: await findServedApi(exchanges),
    incomplete: exchanges.length === 0 ? [{ code: "nothing-observed", message: emptyMessage }] : [],
    knownFailureRun: selectKnownFailureRun(recording, file),
    knownFailures: (judgeOptions.knownFailures ?? []).map((list) => knownFailureList(list)),
    treatsAllAsStreams: recording.kind === "stream",
    ...defined({ confirmsPasses: judgeOptions.confirmsPasses, onProgress: judgeOptions.onProgress }),
  });
}

import { defined } from "@assay/contract";
import type { RuleId } from "@assay/contract";
import { baseUrlOf } from "@assay/evidence";
import type { RecordedExchange } from "@assay/evidence";
import type { RunResult } from "@assay/results";
import { answerGroup, isWithin, judgeBundle, judgeExchanges, knownFailureList, servedApi } from "@assay/runner";
import { tool } from "../version.ts";
import type { Recording } from "./recording.ts";

/** The run of a recording. It is the same for each check, so its result has neither a time nor settings. */
export const recordingRun = (file: string, strict: boolean): RunResult["run"] => ({
  id: "check",
  startedAt: "1970-01-01T00:00:00.000Z",
  target: file,
  embedded: false,
  profile: "check",
  seed: 0,
  strict,
});

/** Settings for judging a recording. */
export interface Judging {
  readonly file: string;
  readonly settings: Parameters<typeof judgeExchanges>[0]["settings"];
  /** Settings of the command line, for recordings with settings of their own. */
  readonly other: NonNullable<Parameters<typeof judgeBundle>[1]>;
}

/** The rules about the content of a recording. All others would be reported as not tested. */
function rulesAbout(exchanges: readonly RecordedExchange[], rules: readonly RuleId[]): readonly RuleId[] {
  const seen = new Set<string>(exchanges.map(({ record }) => record.interface));
  const about = rules.filter((id) => isWithin(id, seen));
  return about.length === 0 ? rules : about;
}

/** Kinds of files that are not streams, as clauses. */
const otherContents: Readonly<Partial<Record<ReturnType<typeof answerGroup>, string>>> = {
  "web-page": "is a web page",
  "other-content": "is not a stream: nothing in it looks like an event",
};

/** Why a file is not the recording of a stream, as a clause. The wrong file is not a failed rule. */
function reasonForNoStream(recording: Exclude<Recording, { readonly kind: "bundle" }>): string | undefined {
  if (recording.kind !== "stream") {
    return recording.kind === "packed" ? recording.flaw : undefined;
  }
  const [exchange] = recording.exchanges;
  const [first] = exchange?.chunks() ?? [];
  if (exchange === undefined || first === undefined || first.bytes.length === 0) {
    return "has no bytes of a stream";
  }
  const answer = answerGroup(exchange);
  const status = exchange.record.response?.status;
  return answer === "stream"
    ? undefined
    : (otherContents[answer] ?? `is an answer with the status ${status}, and no stream`);
}

/**
 * Target and date by which entries of known failures are selected. A HAR file has both. A stream has neither, so entries for all targets
 * apply, and they expire by today's date.
 */
function knownFailureRun(
  recording: Recording,
  file: string,
): NonNullable<Parameters<typeof judgeExchanges>[0]["knownFailureRun"]> {
  const today = new Date().toISOString();
  if (recording.kind !== "har") {
    return { target: file, startedAt: today };
  }
  const targets = [...new Set(recording.exchanges.flatMap(({ record }) => baseUrlOf(record.request.url) ?? []))];
  return { target: file, ...(targets.length === 0 ? {} : { targets }), startedAt: recording.startedAt ?? today };
}

/** Judges a recording. If it contains nothing to judge, the result is incomplete and has the reason. */
export async function judgeRecording(recording: Recording, { file, settings, other }: Judging): Promise<RunResult> {
  if (recording.kind === "bundle") {
    return judgeBundle(recording.bundle, other);
  }
  const what = reasonForNoStream(recording);
  const nothing =
    what === undefined
      ? `nothing of the service (a search, or a call of the conversation API) is among the entries of ${file}`
      : `${file === "-" ? "standard input" : file} ${what}; name a recorded stream (.sse), a HAR file or the folder of a run`;
  const exchanges = what === undefined ? recording.exchanges : [];
  return judgeExchanges({
    exchanges,
    settings: { ...settings, rules: rulesAbout(exchanges, settings.rules) },
    tool,
    run: recordingRun(file, settings.strict),
    api: await servedApi(exchanges),
    incomplete: exchanges.length === 0 ? [{ code: "nothing-observed", message: nothing }] : [],
    knownFailureRun: knownFailureRun(recording, file),
    knownFailures: (other.knownFailures ?? []).map((list) => knownFailureList(list)),
    areStreams: recording.kind === "stream",
    ...defined({ proves: other.proves, onProgress: other.onProgress }),
  });
}

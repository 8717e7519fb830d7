import { defined } from "@assay/contract";
import { recordDraft } from "@assay/evidence";
import type {
  BundleWriter,
  CredentialKind,
  ExchangeDraft,
  ExchangeRecord,
  FooterInfo,
  RecordedExchange,
  UnsentProbe,
} from "@assay/evidence";
import type { UnsentReason } from "../converse/drive-context.ts";
import { findAnswerGroup } from "../judge/answer-group.ts";
import type { AnswerGroup } from "../judge/answer-group.ts";
import { readIndexState } from "../plan/index-state.ts";
import type { Probe } from "../plan/probe.ts";
import { isKept, keptFirst, keptLast } from "../plan/stream-probes.ts";
import type { ProbePlan } from "../plan/stream-probes.ts";
import { isCompared, probesToRepeat } from "../plan/probes-to-repeat.ts";
import type { SentProbe } from "../plan/probes-to-repeat.ts";
import { isClosedAfterDone } from "./is-closed-after-done.ts";
import type { Pace, PaceAdvice } from "./pace.ts";

/** A search to send: the id of its exchange, its probe and its credential. */
export interface SearchRequest {
  readonly id: string;
  readonly probe: Probe;
  readonly credential: CredentialKind;
  /** Id of the refused search that this one retries. */
  readonly retryOf?: string;
}

/** Sends a search and returns the exchange, even if the connection failed. */
export type SendSearch = (request: SearchRequest) => Promise<ExchangeDraft>;

/** Receives the progress of a run. */
export interface DriveListener {
  probeStarted?(probe: Probe): void;
  /** `isComplete` is true if the stream contains all events, even if the connection failed afterwards. */
  probeFinished?(probe: Probe, record: ExchangeRecord, isComplete: boolean): void;
}

/**
 * Decides from the recorded exchanges whether to stop the run. Returns one sentence to stop it, or undefined to continue. The argument is
 * the kind of the next requests: questions cost money, searches do not.
 */
export type ReasonToStop = (next: "searches" | "questions" | "calls") => Promise<string | undefined>;

export interface DriveOptions {
  readonly plan: ProbePlan;
  /** The credential of probes with the credential `main`. */
  readonly mainCredential: CredentialKind;
  /** Additional configured credentials. */
  readonly credentials: ReadonlySet<CredentialKind>;
  /** Credentials that cannot be derived from the configured ones. Their searches are not sent. Default: none. */
  readonly unavailableCredentials?: ReadonlySet<CredentialKind>;
  /** Maximum number of concurrent searches, at least 1. The plain search is always sent alone. */
  readonly parallel: number;
  readonly send: SendSearch;
  readonly writer: Pick<BundleWriter, "writeExchange">;
  /** Reports whether a string contains a secret. Strings from a target that do are not searched for, to keep them out of URLs. Default: never. */
  readonly containsSecret?: (text: string) => boolean;
  /** Decides when searches may be sent and which are retried. By default, they are sent immediately and never retried. */
  readonly pace?: Pick<Pace, "waitForTurn" | "adviceAfter" | "pause" | "remainingMs">;
  /** Reports whether the time of the run is up. Called before each search. */
  readonly isOverdue: () => boolean;
  /** Aborted with the name of the signal when the user interrupts. */
  readonly signal: AbortSignal;
  /** Called before more is sent, when no request is in flight. */
  readonly reasonToStop?: ReasonToStop;
  readonly listener?: DriveListener;
  /** Called when the plain search has returned a stream, before further requests. */
  readonly onStream?: () => void;
}

/** Consecutive failed exchanges that end a run. */
const maxFailuresInARow = 3;

/**
 * Sends the plain search, then the searches that its response makes useful, then those that further responses make useful. Records each
 * exchange when it ends. If the plain search does not return a stream, no more searches are sent, with two exceptions: other credentials
 * after a refusal, and searches with parameters after a bad request.
 *
 * Searches whose results are compared are repeated up to three times if the index changed between them. Three consecutive failed
 * exchanges end the run. Fails if an exchange cannot be recorded.
 */
export async function driveRun(options: DriveOptions): Promise<FooterInfo> {
  const state: DriveState = {
    consecutiveFailures: 0,
    end: undefined,
    sentIds: new Set(),
    answersByProbe: new Map(),
    currentPass: new Map(),
  };
  const [plainProbe, ...otherProbes] = options.plan.probes;
  const plainAnswer =
    plainProbe === undefined ? undefined : await sendWithRetry({ options, state }, { probe: plainProbe, index: 0 });
  const answerKind = plainAnswer === undefined ? undefined : findAnswerGroup(plainAnswer);
  if (plainAnswer !== undefined && answerKind !== undefined && state.end === undefined) {
    await sendRemainingSearches({ options, state }, { otherProbes, plainAnswer, answerKind });
  }
  const end = state.end ?? findEnd(options, "complete") ?? { ended: "complete" };
  const unsentProbes = listUnsent(options, state, reasonForNotSending(end, plainAnswer, answerKind));
  return { ...end, ...(unsentProbes.length === 0 ? {} : { unsent: unsentProbes }) };
}

/** The response to the plain search, and the other planned searches. */
interface PlainSearchOutcome {
  readonly otherProbes: readonly Probe[];
  readonly plainAnswer: RecordedExchange;
  readonly answerKind: AnswerGroup;
}

/** Sends the searches after the plain one, and repeats them if necessary. */
async function sendRemainingSearches(drive: Drive, plainSearch: PlainSearchOutcome): Promise<void> {
  const { plan, pace } = drive.options;
  const remainingMs = pace?.remainingMs() ?? 0;
  if (plainSearch.answerKind === "stream") {
    drive.options.onStream?.();
  }
  const index = await sendFirstPass(drive, plainSearch);
  if (plan.repeatsComparedSearches === true && plainSearch.answerKind === "stream") {
    await repeatComparedSearches(drive, { index, tookMs: remainingMs - (pace?.remainingMs() ?? 0) });
  }
}

/** Delays before searches are sent a second, third and fourth time. */
const repeatDelaysMs = [1000, 2000, 4000];

/** Estimated duration of a repetition and the rest of the run, as a multiple of the duration of the first pass. */
const timeReserveFactor = 4;

/**
 * Repeats the searches whose results are compared until they show a single index state, if there is enough time.
 */
async function repeatComparedSearches(
  drive: Drive,
  { index, tookMs: firstPassMs }: { index: number; tookMs: number },
): Promise<void> {
  const { options, state } = drive;
  let [previousPass, nextIndex]: [readonly SentProbe[], number] = [[], index];
  for (const [round, delayMs] of repeatDelaysMs.entries()) {
    const sentProbes = [...state.currentPass]
      .toSorted(([firstIndex], [secondIndex]) => firstIndex - secondIndex)
      .map(([, probe]) => probe);
    const probes = probesToRepeat(sentProbes, previousPass, round + 2);
    const isOutOfTime = (options.pace?.remainingMs() ?? Infinity) < delayMs + timeReserveFactor * firstPassMs;
    if (probes.length === 0 || isOutOfTime || state.end !== undefined) {
      return;
    }
    previousPass = sentProbes;
    state.currentPass.clear();
    await options.pace?.pause(delayMs);
    const startIndex = nextIndex;
    await sendAll(
      drive,
      keptFirst(probes).map((probe, offset) => ({ probe, index: startIndex + offset })),
    );
    nextIndex += probes.length;
  }
}

/** Sends the searches after the plain one. Returns the next free index. */
async function sendFirstPass(
  drive: Drive,
  { otherProbes, plainAnswer, answerKind }: PlainSearchOutcome,
): Promise<number> {
  const { plan, containsSecret = () => false } = drive.options;
  const isSafeToSend = ({ parameters }: Probe): boolean => !containsSecret(parameters.q);
  const followUps = answerKind === "stream" ? plan.followUps(plainAnswer).filter(isSafeToSend) : [];
  const numberedProbes = keptLast([...otherProbes, ...followUps]).map((probe, index) => ({ probe, index: index + 1 }));
  const usefulProbes = numberedProbes.filter(
    ({ probe }) => isWorthSending(probe, answerKind) || mayNeedParameters(probe, plainAnswer),
  );
  await sendAll(drive, usefulProbes);
  const nextIndex = numberedProbes.length + 1;
  const finalProbes =
    answerKind === "stream"
      ? (plan.finalProbes?.probes(followUps, (id) => drive.state.answersByProbe.get(id)) ?? [])
      : [];
  await sendAll(
    drive,
    keptFirst(finalProbes.filter(isSafeToSend)).map((probe, index) => ({ probe, index: nextIndex + index })),
  );
  return nextIndex + finalProbes.length;
}

/** Returns why searches with additional credentials were not sent. */
function reasonForNotSending(
  { ended, cause, reason }: FooterInfo,
  plainAnswer: RecordedExchange | undefined,
  answerKind: AnswerGroup | undefined,
): UnsentReason {
  if (reason !== undefined) {
    return {
      cause: cause === "bail" ? "bail" : "other",
      reason: ended === "interrupted" ? `the run was interrupted (${reason})` : reason,
    };
  }
  const status = plainAnswer?.record.response?.status;
  const answer = status === undefined ? "not answered" : `answered with status ${status}`;
  return answerKind === "distress"
    ? { cause: "busy", reason: `the plain search was ${answer}` }
    : { cause: "other", reason: `the plain search was ${answerKind === "nothing" ? "not answered" : answer}` };
}

/** Returns the searches with configured credentials that were not sent. */
const listUnsent = (options: DriveOptions, { sentIds }: DriveState, reason: UnsentReason): readonly UnsentProbe[] =>
  options.plan.probes
    .filter(
      (probe) => probe.purpose === "access" && selectCredential(probe, options) !== undefined && !sentIds.has(probe.id),
    )
    .map(({ id }) => ({ interface: "stream", probe: id, ...reason }));

interface DriveState {
  /** Ids of the probes that were sent. */
  readonly sentIds: Set<string>;
  /** Responses to the probes from which others are derived. */
  readonly answersByProbe: Map<string, RecordedExchange>;
  /** Searches of the current pass whose results are compared, by index. */
  readonly currentPass: Map<number, SentProbe>;
  /** Consecutive failed exchanges. */
  consecutiveFailures: number;
  /** The reason no more searches are sent. */
  end: FooterInfo | undefined;
}

interface Drive {
  readonly options: DriveOptions;
  readonly state: DriveState;
}

interface NumberedProbe {
  readonly probe: Probe;
  readonly index: number;
}

/** Number of searches between two checks for a reason to stop. */
const searchesBetweenStops = 8;

/** Sends the probes in order: those with connections of their own up to `parallel` concurrently, the others one after the other. */
async function sendAll({ options, state }: Drive, probes: readonly NumberedProbe[]): Promise<void> {
  for (let start = 0; start < probes.length;) {
    const areKept = probes.slice(start, start + 1).some(({ probe }) => isKept(probe));
    const length = probes.slice(start).findIndex(({ probe }) => isKept(probe) !== areKept);
    const end = length === -1 ? probes.length : start + length;
    const parallel = areKept ? 1 : options.parallel;
    await sendInGroups({ options: { ...options, parallel }, state }, probes.slice(start, end));
    start = end;
  }
}

/** Sends the probes in order, in groups if `reasonToStop` is set. */
async function sendInGroups(drive: Drive, probes: readonly NumberedProbe[]): Promise<void> {
  const { options, state } = drive;
  if (options.reasonToStop === undefined) {
    return sendGroup(drive, probes);
  }
  for (let from = 0; from < probes.length && state.end === undefined; from += searchesBetweenStops) {
    const reason = await options.reasonToStop("searches");
    if (reason === undefined) {
      await sendGroup(drive, probes.slice(from, from + searchesBetweenStops));
    } else {
      state.end ??= { ended: "stopped", cause: "bail", reason };
    }
  }
}

/** Sends the probes in order, up to `parallel` concurrently. If one fails, waits for requests in flight before it throws. */
async function sendGroup(drive: Drive, probes: readonly NumberedProbe[]): Promise<void> {
  const pendingProbes = probes.values();
  const sendPending = async (): Promise<void> => {
    for (const pendingProbe of pendingProbes) {
      await sendWithRetry(drive, pendingProbe);
      if (drive.state.end !== undefined) {
        return;
      }
    }
  };
  const senders = await Promise.allSettled(Array.from({ length: drive.options.parallel }, () => sendPending()));
  const failedSender = senders.find((sender) => sender.status === "rejected");
  if (failedSender !== undefined) {
    throw failedSender.reason;
  }
}

/** Sends one probe unless the run has ended or its credential is not configured. Returns the response if it was sent. */
async function sendWithRetry({ options, state }: Drive, { probe, index }: NumberedProbe) {
  const credential = selectCredential(probe, options);
  if (credential === undefined || state.end !== undefined) {
    return undefined;
  }
  const id = exchangeId(index);
  const firstDraft = await sendInTurn({ options, state }, { id, probe, credential });
  const advice = firstDraft === undefined ? "continue" : followAdvice({ options, state }, firstDraft);
  // This id sorts between the ids of the refused search and the next search.
  const retry = { id: `${id}-again`, probe, credential, retryOf: id };
  const draft = advice === "retry" ? ((await sendInTurn({ options, state }, retry)) ?? firstDraft) : firstDraft;
  if (draft !== firstDraft && draft !== undefined) {
    followAdvice({ options, state }, draft);
  }
  const answer = draft === undefined ? undefined : recordDraft(draft);
  if (answer !== undefined) {
    storeForPlanning({ options, state }, { probe, index }, answer);
  }
  return answer;
}

/** Stores the parts of a response that determine which probes follow. */
function storeForPlanning({ options, state }: Drive, { probe, index }: NumberedProbe, answer: RecordedExchange): void {
  if (options.plan.finalProbes?.sourceProbeIds.has(probe.id) === true) {
    state.answersByProbe.set(probe.id, answer);
  }
  if (options.plan.repeatsComparedSearches === true && isCompared(probe)) {
    const observedState = readIndexState(answer);
    state.currentPass.set(index, observedState === undefined ? { probe } : { probe, state: observedState });
  }
}

/** Waits for the pace and sends a search unless the run has ended. Returns the exchange. */
async function sendInTurn({ options, state }: Drive, request: SearchRequest): Promise<ExchangeDraft | undefined> {
  await options.pace?.waitForTurn();
  state.end ??= findEnd(options);
  if (state.end !== undefined) {
    return undefined;
  }
  state.sentIds.add(request.probe.id);
  const draft = await sendProbe(options, request).catch((cause: unknown) => {
    // Requests that cannot be recorded must not be sent.
    state.end = { ended: "stopped", reason: "an exchange could not be recorded" };
    throw cause;
  });
  countFailure({ options, state }, draft);
  return draft;
}

/** Returns the pace advice after a response. If the target asks for a longer wait than allowed, ends the run. */
function followAdvice({ options, state }: Drive, draft: ExchangeDraft): PaceAdvice {
  const advice = options.pace?.adviceAfter(draft) ?? "continue";
  if (advice === "stop") {
    const reason = `the target answered with status ${draft.response?.status} and asked for a longer wait than allowed, so nothing more was sent; try again later`;
    state.end ??= { ended: "stopped", cause: "broken-searches", reason };
  }
  return advice;
}

const isComplete = (draft: ExchangeDraft): boolean => draft.end.kind === "complete" || isClosedAfterDone(draft);

function countFailure({ options, state }: Drive, draft: ExchangeDraft): void {
  const { end } = draft;
  state.consecutiveFailures = isComplete(draft) ? 0 : state.consecutiveFailures + 1;
  if (state.consecutiveFailures === maxFailuresInARow && end.kind === "failed" && !options.signal.aborted) {
    const reason = `${maxFailuresInARow} searches in a row failed, so no more were sent; the last failure: ${end.message}`;
    state.end ??= { ended: "stopped", cause: "broken-searches", reason };
  }
}

const exchangeId = (index: number): string => String(index + 1).padStart(4, "0");

function selectCredential(
  { credential }: Probe,
  { mainCredential, credentials, unavailableCredentials }: DriveOptions,
): CredentialKind | undefined {
  switch (credential) {
    case "main":
      return mainCredential;
    case "oauth-token":
    case "unscoped-token":
    case "unscoped-oauth-token":
      return credentials.has(credential) ? credential : undefined;
    case "none":
      // If no credential is configured, the plain search was already sent without a token.
      return mainCredential === "none" ? undefined : "none";
    case "invalid-token":
      return "invalid-token";
    default:
      return [mainCredential, ...credentials].includes("access-token") &&
        unavailableCredentials?.has(credential) !== true
        ? credential
        : undefined;
  }
}

/** Reports whether to send a probe if the plain search returned no stream. Other credentials may succeed after a refusal. */
function isWorthSending({ purpose, credential }: Probe, answerKind: AnswerGroup): boolean {
  if (answerKind === "stream") {
    return true;
  }
  const isUnavailable = answerKind === "nothing" || answerKind === "distress";
  return purpose === "access" && !isUnavailable && (answerKind === "refusal" || credential === "oauth-token");
}

/** Reports whether to send a probe with parameters after status 400 or 422, because the target may require an optional parameter. */
const mayNeedParameters = ({ purpose }: Probe, { record }: RecordedExchange): boolean =>
  purpose === "parameters" && (record.response?.status === 400 || record.response?.status === 422);

function findEnd({ signal, isOverdue }: DriveOptions, progress?: "complete"): FooterInfo | undefined {
  if (signal.aborted) {
    return { ended: "interrupted", reason: String(signal.reason) };
  }
  return progress === undefined && isOverdue()
    ? {
        ended: "stopped",
        cause: "deadline",
        reason: "the time for the whole run was used up before all searches were sent; allow more with --timeout",
      }
    : undefined;
}

async function sendProbe(options: DriveOptions, request: SearchRequest): Promise<ExchangeDraft> {
  const { send, writer, listener } = options;
  listener?.probeStarted?.(request.probe);
  const draft = { ...(await send(request)), ...defined({ retryOf: request.retryOf }) };
  const record = await writer.writeExchange(draft);
  listener?.probeFinished?.(request.probe, record, isComplete(draft));
  return draft;
}

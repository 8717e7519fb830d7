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
import { answerGroup } from "../judge/answer-group.ts";
import type { AnswerGroup } from "../judge/answer-group.ts";
import { indexState } from "../plan/index-state.ts";
import type { Probe } from "../plan/probe.ts";
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
  /** `isWhole` is true if the stream contains all events, even if the connection failed afterwards. */
  probeFinished?(probe: Probe, record: ExchangeRecord, isWhole: boolean): void;
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
  /** Credentials that cannot be derived from the configured ones. Their searches are not sent [none]. */
  readonly unmade?: ReadonlySet<CredentialKind>;
  /** Maximum number of concurrent searches, at least 1. The plain search is always sent alone. */
  readonly parallel: number;
  readonly send: SendSearch;
  readonly writer: Pick<BundleWriter, "writeExchange">;
  /** Reports whether a string contains a secret. Strings from a target that do are not searched for, to keep them out of URLs [never]. */
  readonly holdsSecret?: (text: string) => boolean;
  /** Decides when searches may be sent and which are retried [immediately, and none]. */
  readonly pace?: Pick<Pace, "turn" | "advice" | "rest" | "leftMs">;
  /** Reports whether the time of the run is up. Called before each search. */
  readonly isOverdue: () => boolean;
  /** Aborted with the name of the signal when the user interrupts. */
  readonly signal: AbortSignal;
  /** Called before more is sent, when no request is in flight [never]. */
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
  const state: DriveState = { failures: 0, end: undefined, sent: new Set(), answers: new Map(), pass: new Map() };
  const [plain, ...otherProbes] = options.plan.probes;
  const first = plain === undefined ? undefined : await sendNext({ options, state }, { probe: plain, index: 0 });
  const answerKind = first === undefined ? undefined : answerGroup(first);
  if (first !== undefined && answerKind !== undefined && state.end === undefined) {
    await sendMore({ options, state }, { otherProbes, first, answerKind });
  }
  const end = state.end ?? findEnd(options, "complete") ?? { ended: "complete" };
  const unsent = listUnsent(options, state, reasonNotSent(end, first, answerKind));
  return { ...end, ...(unsent.length === 0 ? {} : { unsent }) };
}

/** The response to the plain search, and the other planned searches. */
interface Started {
  readonly otherProbes: readonly Probe[];
  readonly first: RecordedExchange;
  readonly answerKind: AnswerGroup;
}

/** Sends the searches after the plain one, and repeats them if necessary. */
async function sendMore(drive: Drive, started: Started): Promise<void> {
  const { plan, pace } = drive.options;
  const leftMs = pace?.leftMs() ?? 0;
  if (started.answerKind === "stream") {
    drive.options.onStream?.();
  }
  const index = await sendOthers(drive, started);
  if (plan.isRepeated === true && started.answerKind === "stream") {
    await sendAgain(drive, { index, tookMs: leftMs - (pace?.leftMs() ?? 0) });
  }
}

/** Delays before searches are sent a second, third and fourth time. */
const restsMs = [1000, 2000, 4000];

/** Estimated duration of a repetition and the rest of the run, as a multiple of the duration of the first pass. */
const shareOfTime = 4;

/**
 * Repeats the searches whose results are compared until they show a single index state, if there is enough time.
 */
async function sendAgain(drive: Drive, { index, tookMs }: { index: number; tookMs: number }): Promise<void> {
  const { options, state } = drive;
  let [before, next]: [readonly SentProbe[], number] = [[], index];
  for (const [round, restMs] of restsMs.entries()) {
    const sentProbes = [...state.pass].toSorted(([one], [other]) => one - other).map(([, probe]) => probe);
    const probes = probesToRepeat(sentProbes, before, round + 2);
    const isShort = (options.pace?.leftMs() ?? Infinity) < restMs + shareOfTime * tookMs;
    if (probes.length === 0 || isShort || state.end !== undefined) {
      return;
    }
    before = sentProbes;
    state.pass.clear();
    await options.pace?.rest(restMs);
    const first = next;
    await sendAll(
      drive,
      probes.map((probe, place) => ({ probe, index: first + place })),
    );
    next += probes.length;
  }
}

/** Sends the searches after the plain one. Returns the next free index. */
async function sendOthers(drive: Drive, { otherProbes, first, answerKind }: Started): Promise<number> {
  const { plan, holdsSecret = () => false } = drive.options;
  const isAskable = ({ parameters }: Probe): boolean => !holdsSecret(parameters.q);
  const more = answerKind === "stream" ? plan.followUps(first).filter(isAskable) : [];
  const numbered = [...otherProbes, ...more].map((probe, index) => ({ probe, index: index + 1 }));
  await sendAll(
    drive,
    numbered.filter(({ probe }) => isWorthSending(probe, answerKind) || mayBeMissing(probe, first)),
  );
  const next = numbered.length + 1;
  const last = answerKind === "stream" ? (plan.last?.probes(more, (id) => drive.state.answers.get(id)) ?? []) : [];
  await sendAll(
    drive,
    last.filter(isAskable).map((probe, index) => ({ probe, index: next + index })),
  );
  return next + last.length;
}

/** Returns the reason why searches with additional credentials were not sent. */
function reasonNotSent(
  { ended, cause, reason }: FooterInfo,
  first: RecordedExchange | undefined,
  answerKind: AnswerGroup | undefined,
): UnsentReason {
  if (reason !== undefined) {
    return {
      cause: cause === "bail" ? "bail" : "other",
      reason: ended === "interrupted" ? `the run was interrupted (${reason})` : reason,
    };
  }
  const status = first?.record.response?.status;
  const answer = status === undefined ? "not answered" : `answered with status ${status}`;
  return answerKind === "distress"
    ? { cause: "busy", reason: `the plain search was ${answer}` }
    : { cause: "other", reason: `the plain search was ${answerKind === "nothing" ? "not answered" : answer}` };
}

/** Returns the searches with configured credentials that were not sent. */
const listUnsent = (options: DriveOptions, { sent }: DriveState, reason: UnsentReason): readonly UnsentProbe[] =>
  options.plan.probes
    .filter(
      (probe) => probe.purpose === "access" && selectCredential(probe, options) !== undefined && !sent.has(probe.id),
    )
    .map(({ id }) => ({ interface: "stream", probe: id, ...reason }));

interface DriveState {
  /** Ids of the probes that were sent. */
  readonly sent: Set<string>;
  /** Responses to the probes from which others are derived. */
  readonly answers: Map<string, RecordedExchange>;
  /** Searches of the current pass whose results are compared, by index. */
  readonly pass: Map<number, SentProbe>;
  /** Consecutive failed exchanges. */
  failures: number;
  /** The reason why no more searches are sent. */
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

/** Sends the probes in order, in groups if `reasonToStop` is set. */
async function sendAll(drive: Drive, probes: readonly NumberedProbe[]): Promise<void> {
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
  const waiting = probes.values();
  const sendWaiting = async (): Promise<void> => {
    for (const waiter of waiting) {
      await sendNext(drive, waiter);
      if (drive.state.end !== undefined) {
        return;
      }
    }
  };
  const senders = await Promise.allSettled(Array.from({ length: drive.options.parallel }, () => sendWaiting()));
  const failed = senders.find((sender) => sender.status === "rejected");
  if (failed !== undefined) {
    throw failed.reason;
  }
}

/** Sends one probe unless the run has ended or its credential is not configured. Returns the response if it was sent. */
async function sendNext({ options, state }: Drive, { probe, index }: NumberedProbe) {
  const credential = selectCredential(probe, options);
  if (credential === undefined || state.end !== undefined) {
    return undefined;
  }
  const id = exchangeId(index);
  const first = await sendInTurn({ options, state }, { id, probe, credential });
  const advice = first === undefined ? "go-on" : adviceOn({ options, state }, first);
  // This id sorts after that of the refused search and before that of the next search.
  const retry = { id: `${id}-again`, probe, credential, retryOf: id };
  const draft = advice === "again" ? ((await sendInTurn({ options, state }, retry)) ?? first) : first;
  if (draft !== first && draft !== undefined) {
    adviceOn({ options, state }, draft);
  }
  const answer = draft === undefined ? undefined : recordDraft(draft);
  if (answer !== undefined) {
    keepWanted({ options, state }, { probe, index }, answer);
  }
  return answer;
}

/** Stores the parts of a response that determine which probes follow. */
function keepWanted({ options, state }: Drive, { probe, index }: NumberedProbe, answer: RecordedExchange): void {
  if (options.plan.last?.leading.has(probe.id) === true) {
    state.answers.set(probe.id, answer);
  }
  if (options.plan.isRepeated === true && isCompared(probe)) {
    const indexSeen = indexState(answer);
    state.pass.set(index, indexSeen === undefined ? { probe } : { probe, state: indexSeen });
  }
}

/** Waits for the pace and sends a search unless the run has ended. Returns the exchange. */
async function sendInTurn({ options, state }: Drive, request: SearchRequest): Promise<ExchangeDraft | undefined> {
  await options.pace?.turn();
  state.end ??= findEnd(options);
  if (state.end !== undefined) {
    return undefined;
  }
  state.sent.add(request.probe.id);
  const draft = await sendProbe(options, request).catch((cause: unknown) => {
    // Requests that cannot be recorded must not be sent.
    state.end = { ended: "stopped", reason: "an exchange could not be recorded" };
    throw cause;
  });
  countFailure({ options, state }, draft);
  return draft;
}

/** Returns the pace advice after a response. If the target asks for a longer wait than allowed, ends the run. */
function adviceOn({ options, state }: Drive, draft: ExchangeDraft): PaceAdvice {
  const advice = options.pace?.advice(draft) ?? "go-on";
  if (advice === "leave") {
    const reason = `the target answered with status ${draft.response?.status} and asked for a longer wait than allowed, so nothing more was sent; try again later`;
    state.end ??= { ended: "stopped", cause: "broken-searches", reason };
  }
  return advice;
}

const isWhole = (draft: ExchangeDraft): boolean => draft.end.kind === "complete" || isClosedAfterDone(draft);

function countFailure({ options, state }: Drive, draft: ExchangeDraft): void {
  const { end } = draft;
  state.failures = isWhole(draft) ? 0 : state.failures + 1;
  if (state.failures === maxFailuresInARow && end.kind === "failed" && !options.signal.aborted) {
    const reason = `${maxFailuresInARow} searches in a row failed, so no more were sent; the last failure: ${end.message}`;
    state.end ??= { ended: "stopped", cause: "broken-searches", reason };
  }
}

const exchangeId = (index: number): string => String(index + 1).padStart(4, "0");

function selectCredential(
  { credential }: Probe,
  { mainCredential, credentials, unmade }: DriveOptions,
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
      return [mainCredential, ...credentials].includes("access-token") && unmade?.has(credential) !== true
        ? credential
        : undefined;
  }
}

/** Reports whether to send a probe if the plain search returned no stream. Other credentials may succeed after a refusal. */
function isWorthSending({ purpose, credential }: Probe, answered: AnswerGroup): boolean {
  if (answered === "stream") {
    return true;
  }
  const isOut = answered === "nothing" || answered === "distress";
  return purpose === "access" && !isOut && (answered === "refusal" || credential === "oauth-token");
}

/** Reports whether a bad request may lack an optional parameter, which searches with parameters can show. */
const mayBeMissing = ({ purpose }: Probe, { record }: RecordedExchange): boolean =>
  purpose === "parameters" && (record.response?.status === 400 || record.response?.status === 422);

function findEnd({ signal, isOverdue }: DriveOptions, all?: "complete"): FooterInfo | undefined {
  if (signal.aborted) {
    return { ended: "interrupted", reason: String(signal.reason) };
  }
  return all === undefined && isOverdue()
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
  listener?.probeFinished?.(request.probe, record, isWhole(draft));
  return draft;
}

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
import type { WhyUnsent } from "../converse/drive-context.ts";
import { answerGroup } from "../judge/answer-group.ts";
import type { AnswerGroup } from "../judge/answer-group.ts";
import { indexState } from "../plan/index-state.ts";
import type { Probe } from "../plan/probe.ts";
import type { ProbePlan } from "../plan/stream-probes.ts";
import { isCompared, probesToRepeat } from "../plan/probes-to-repeat.ts";
import type { SentProbe } from "../plan/probes-to-repeat.ts";
import { isClosedAfterDone } from "./is-closed-after-done.ts";
import type { Pace, PaceAdvice } from "./pace.ts";

/** One search to send: the id of its exchange, its probe and its credential. */
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
  /** `isWhole` is true if no event of the stream is missing, however the connection ended. */
  probeFinished?(probe: Probe, record: ExchangeRecord, isWhole: boolean): void;
}

/**
 * Returns one sentence to stop the run, or `undefined` to continue. The argument is the kind of the next requests: questions cost
 * money, searches do not. Decides by the recorded exchanges.
 */
export type ReasonToStop = (next: "searches" | "questions" | "calls") => Promise<string | undefined>;

export interface DriveOptions {
  readonly plan: ProbePlan;
  /** Sent by probes with the credential `main`. */
  readonly mainCredential: CredentialKind;
  /** Other given credentials. */
  readonly credentials: ReadonlySet<CredentialKind>;
  /** Credentials that cannot be derived from the given ones; their searches are not sent [none]. */
  readonly unmade?: ReadonlySet<CredentialKind>;
  /** Concurrent searches, at least 1. The plain search is always sent alone. */
  readonly parallel: number;
  readonly send: SendSearch;
  readonly writer: Pick<BundleWriter, "writeExchange">;
  /** True if a text contains a secret. Such texts from a target are not searched for, since they would be in the URL [never]. */
  readonly holdsSecret?: (text: string) => boolean;
  /** Decides when searches may be sent and which are retried [at once, and none]. */
  readonly pace?: Pick<Pace, "turn" | "advice" | "rest" | "leftMs">;
  /** True if the time of the run is up; checked before each search. */
  readonly isOverdue: () => boolean;
  /** Aborted with the name of the signal when the user interrupts. */
  readonly signal: AbortSignal;
  /** Called before more is sent, when no request is in flight [never]. */
  readonly reasonToStop?: ReasonToStop;
  readonly listener?: DriveListener;
  /** Called after the plain search was answered with a stream, before more is sent. */
  readonly onStream?: () => void;
}

/** Consecutive failed exchanges that end a run. */
const maxFailuresInARow = 3;

/**
 * Sends the plain search, then the searches that its answer makes useful, then those that further answers make useful. Records each
 * exchange when it ends. If the answer to the plain search is not a stream, nothing more is sent, with two exceptions: after a refusal
 * other credentials are tried, and after a bad request searches with parameters.
 *
 * Compared searches are repeated up to three times if their answers show that the index changed between them. Three failed exchanges in
 * a row end the run. Fails if an exchange cannot be recorded.
 */
export async function driveRun(options: DriveOptions): Promise<FooterInfo> {
  const state: DriveState = { failures: 0, end: undefined, sent: new Set(), answers: new Map(), pass: new Map() };
  const [plain, ...others] = options.plan.probes;
  const first = plain === undefined ? undefined : await sendNext({ options, state }, { probe: plain, index: 0 });
  const answered = first === undefined ? undefined : answerGroup(first);
  if (first !== undefined && answered !== undefined && state.end === undefined) {
    await sendMore({ options, state }, { others, first, answered });
  }
  const end = state.end ?? endOf(options, "complete") ?? { ended: "complete" };
  const unsent = unsentAmong(options, state, reasonNotSent(end, first, answered));
  return { ...end, ...(unsent.length === 0 ? {} : { unsent }) };
}

/** The answer to the plain search, and the other planned searches. */
interface Started {
  readonly others: readonly Probe[];
  readonly first: RecordedExchange;
  readonly answered: AnswerGroup;
}

/** Sends the searches after the plain one, and repeats those that need it. */
async function sendMore(drive: Drive, begun: Started): Promise<void> {
  const { plan, pace } = drive.options;
  const leftMs = pace?.leftMs() ?? 0;
  if (begun.answered === "stream") {
    drive.options.onStream?.();
  }
  const index = await sendOthers(drive, begun);
  if (plan.isRepeated === true && begun.answered === "stream") {
    await sendAgain(drive, { index, tookMs: leftMs - (pace?.leftMs() ?? 0) });
  }
}

/** Waits before searches are sent a second, third and fourth time. */
const restsMs = [1000, 2000, 4000];

/** A repetition and the rest of the run are assumed to take this many times as long as the first pass. */
const shareOfTime = 4;

/**
 * Repeats compared searches until their answers show one index state, unless the remaining time is short.
 */
async function sendAgain(drive: Drive, { index, tookMs }: { index: number; tookMs: number }): Promise<void> {
  const { options, state } = drive;
  let [before, next]: [readonly SentProbe[], number] = [[], index];
  for (const [round, restMs] of restsMs.entries()) {
    const sent = [...state.pass].toSorted(([one], [other]) => one - other).map(([, probe]) => probe);
    const probes = probesToRepeat(sent, before, round + 2);
    const isShort = (options.pace?.leftMs() ?? Infinity) < restMs + shareOfTime * tookMs;
    if (probes.length === 0 || isShort || state.end !== undefined) {
      return;
    }
    before = sent;
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
async function sendOthers(drive: Drive, { others, first, answered }: Started): Promise<number> {
  const { plan, holdsSecret = () => false } = drive.options;
  const isAskable = ({ parameters }: Probe): boolean => !holdsSecret(parameters.q);
  const more = answered === "stream" ? plan.followUps(first).filter(isAskable) : [];
  const numbered = [...others, ...more].map((probe, index) => ({ probe, index: index + 1 }));
  await sendAll(
    drive,
    numbered.filter(({ probe }) => isWorthSending(probe, answered) || mayBeMissing(probe, first)),
  );
  const next = numbered.length + 1;
  const last = answered === "stream" ? (plan.last?.probes(more, (id) => drive.state.answers.get(id)) ?? []) : [];
  await sendAll(
    drive,
    last.filter(isAskable).map((probe, index) => ({ probe, index: next + index })),
  );
  return next + last.length;
}

/** The reason why searches with other given credentials were not sent. */
function reasonNotSent(
  { ended, cause, reason }: FooterInfo,
  first: RecordedExchange | undefined,
  answered: AnswerGroup | undefined,
): WhyUnsent {
  if (reason !== undefined) {
    return {
      cause: cause === "bail" ? "bail" : "other",
      reason: ended === "interrupted" ? `the run was interrupted (${reason})` : reason,
    };
  }
  const status = first?.record.response?.status;
  const answer = status === undefined ? "not answered" : `answered with status ${status}`;
  return answered === "distress"
    ? { cause: "busy", reason: `the plain search was ${answer}` }
    : { cause: "other", reason: `the plain search was ${answered === "nothing" ? "not answered" : answer}` };
}

/** The searches with given credentials that were not sent. */
const unsentAmong = (options: DriveOptions, { sent }: DriveState, why: WhyUnsent): readonly UnsentProbe[] =>
  options.plan.probes
    .filter((probe) => probe.purpose === "access" && credentialOf(probe, options) !== undefined && !sent.has(probe.id))
    .map(({ id }) => ({ interface: "stream", probe: id, ...why }));

interface DriveState {
  /** Ids of the probes that were sent. */
  readonly sent: Set<string>;
  /** Answers to the probes that lead to others. */
  readonly answers: Map<string, RecordedExchange>;
  /** Compared searches of the current pass, by index. */
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

/** Searches between two checks for a reason to stop. */
const searchesBetweenStops = 8;

/** Sends the probes in order; in groups if there is a check for a reason to stop. */
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

/** Sends the probes in order, as many concurrently as allowed. Waits for requests in flight before it fails. */
async function sendGroup(drive: Drive, probes: readonly NumberedProbe[]): Promise<void> {
  const waiting = probes.values();
  const sendWaiting = async (): Promise<void> => {
    for (const next of waiting) {
      await sendNext(drive, next);
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

/** Sends one probe unless the run ended or its credential was not given. Returns the answer if it was sent. */
async function sendNext({ options, state }: Drive, { probe, index }: NumberedProbe) {
  const credential = credentialOf(probe, options);
  if (credential === undefined || state.end !== undefined) {
    return undefined;
  }
  const id = exchangeId(index);
  const first = await sendInTurn({ options, state }, { id, probe, credential });
  const advice = first === undefined ? "go-on" : adviceOn({ options, state }, first);
  // This id sorts right after the first one and before the next search.
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

/** Keeps the parts of an answer that decide which probes follow. */
function keepWanted({ options, state }: Drive, { probe, index }: NumberedProbe, answer: RecordedExchange): void {
  if (options.plan.last?.leading.has(probe.id) === true) {
    state.answers.set(probe.id, answer);
  }
  if (options.plan.isRepeated === true && isCompared(probe)) {
    const indexSeen = indexState(answer);
    state.pass.set(index, indexSeen === undefined ? { probe } : { probe, state: indexSeen });
  }
}

/** Sends a search in its turn, unless the run ended. Returns the exchange. */
async function sendInTurn({ options, state }: Drive, request: SearchRequest): Promise<ExchangeDraft | undefined> {
  await options.pace?.turn();
  state.end ??= endOf(options);
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

/** What an answer means for the next search. A request for too long a wait ends the run. */
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

function credentialOf(
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
      // Without any credential the plain search already was the search without a token.
      return mainCredential === "none" ? undefined : "none";
    case "invalid-token":
      return "invalid-token";
    default:
      return [mainCredential, ...credentials].includes("access-token") && unmade?.has(credential) !== true
        ? credential
        : undefined;
  }
}

/** After a refusal other credentials may show more; after any other answer without a stream, another token may. */
function isWorthSending({ purpose, credential }: Probe, answered: AnswerGroup): boolean {
  if (answered === "stream") {
    return true;
  }
  const isOut = answered === "nothing" || answered === "distress";
  return purpose === "access" && !isOut && (answered === "refusal" || credential === "oauth-token");
}

/** A bad request may lack an optional parameter. Searches with parameters show whether it does. */
const mayBeMissing = ({ purpose }: Probe, { record }: RecordedExchange): boolean =>
  purpose === "parameters" && (record.response?.status === 400 || record.response?.status === 422);

function endOf({ signal, isOverdue }: DriveOptions, all?: "complete"): FooterInfo | undefined {
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

import { defined } from "@assay/contract";
import type { AuthorizationScheme, CallRequest } from "@assay/client";
import type { BundleWriter, CredentialKind, ExchangeDraft, ExchangeRecord } from "@assay/evidence";
import { readAnswer } from "./answer.ts";
import type { Answer } from "./answer.ts";
import { createAuthorizationSchemes, selectSchemeToTry, recordScheme } from "./authorization-schemes.ts";
import type { AuthorizationSchemes } from "./authorization-schemes.ts";
import type { ConversationLimits } from "./conversation-limits.ts";
import type { ConversationProbe } from "./conversation-probe.ts";
import type { DrivenConversation } from "./driven-conversation.ts";
import type { ConversationInterface, PlainCall } from "./dialect.ts";
import { findDistress } from "./distress.ts";
import type { Distress } from "./distress.ts";
import { dialects } from "./dialects.ts";
import type { Clock, RateLimit } from "./rate-limit.ts";
import { recordSpelling, applyRequestNames } from "./request-names.ts";
import type { RequestNames } from "./request-names.ts";
import { requestedWaitMs } from "./retry-wait.ts";
import { hasAnyRunMark, readLastPart } from "./run-conversation.ts";
import { withholdOtherTexts } from "./withheld-text.ts";

/**
 * Sends a call with the token of its credential (`other-scheme` has the main token) and returns the exchange, even if the connection
 * failed. Must obey the signal and the timeout of the call: the clean-up after an interrupt has a signal of its own.
 */
export type SendCall = (call: CallRequest & { readonly id: string; readonly probe: string }) => Promise<ExchangeDraft>;

/** Waits. Ends early when the signal is aborted, by resolving or rejecting. */
export type Wait = (ms: number, signal: AbortSignal | undefined) => Promise<unknown>;

/** Receives the progress of conversations. */
export interface ConverseListener {
  exchangeStarted?(probe: ConversationProbe): void;
  exchangeRecorded?(probe: ConversationProbe, record: ExchangeRecord): void;
  probeSkipped?(probe: ConversationProbe, reason: string): void;
  /** Called after each question counted in the budget. `maxQuestions` may be `Infinity`. */
  questionAsked?(questionCount: number, maxQuestions: number): void;
}

export interface CallerOptions {
  readonly send: SendCall;
  /** Records each exchange. Default: nothing is recorded. */
  readonly writer?: Pick<BundleWriter, "writeExchange">;
  readonly nextId: () => string;
  readonly mainCredential: CredentialKind;
  readonly limits: ConversationLimits;
  readonly rateLimit: RateLimit;
  readonly clock: Clock;
  /** Wall clock in milliseconds, to interpret times in answers. Default: `Date.now`. */
  readonly nowMs?: () => number;
  readonly wait: Wait;
  /** Returns the remaining time in milliseconds. Called before each call, which is not sent if no time remains. */
  readonly remainingMs: () => number;
  readonly signal?: AbortSignal;
  readonly listener?: ConverseListener;
  /** Names of request members; updated from answers. Default: the usual names. */
  readonly requestNames?: RequestNames;
  /** Authorization scheme by interface; updated from answers. Default: the usual schemes. */
  readonly authorizationSchemes?: AuthorizationSchemes;
}

/** The reason no more calls are sent. */
export interface CallerStop {
  readonly cause: "interrupted" | "deadline" | "broken-calls" | "not-recorded" | "bail";
  /** One sentence, or the name of the signal of an interrupt. */
  readonly reason: string;
}

/** The reason for a call (its probe), and its credential and session. */
export interface CallOrigin {
  readonly probe: ConversationProbe;
  readonly credential: CredentialKind;
  readonly session: string;
}

/** Sends and records calls, in sequence or concurrently, until there is a reason to stop. */
export interface Caller {
  /** Sends a call. Returns undefined if the run is stopping. Fails if the call cannot be sent or recorded. */
  call(origin: CallOrigin, call: PlainCall): Promise<Answer | undefined>;
  /** Waits unless the run is stopping. */
  pause(ms: number): Promise<void>;
  /** The reason no more calls are sent, once there is one. */
  readonly stop: CallerStop | undefined;
  /** Stops sending for this reason, unless there already is one. */
  halt(stop: CallerStop): void;
  /** The reason no more questions are asked, once there is one. */
  readonly distress: Distress | undefined;
}

const maxConsecutiveFailures = 3;

interface CallerState {
  consecutiveFailures: number;
  stop: CallerStop | undefined;
  distress: Distress | undefined;
  /** Time of the first response that asked for a wait. */
  firstWaitAtMicros: number | undefined;
  /** The target asked to receive no calls before this time. */
  blockedUntilMicros: number;
  /** Last parts of the ids of conversations that this run created or that have the mark of any run. */
  readonly ownIds: Set<string>;
  readonly requestNames: RequestNames;
  readonly schemes: AuthorizationSchemes;
}

/** Reports whether a run of this program created the conversation. */
const isOwnConversation = ({ ownIds }: CallerState, view: DrivenConversation): boolean =>
  hasAnyRunMark(view) || (view.id !== undefined && ownIds.has(readLastPart(view.id)));

/** Records the spelling of member names in an answer, and its conversation if a run of this program created it. */
function recordOwnConversation(state: CallerState, name: ConversationInterface, { draft, kind, json }: Answer): void {
  if (kind === "success" && name === "current") {
    recordSpelling(state.requestNames, json);
  }
  const view = kind === "success" ? dialects[name].read(json) : undefined;
  if (view?.id !== undefined && (draft.operation === "create" || isOwnConversation(state, view))) {
    state.ownIds.add(readLastPart(view.id));
  }
}

/** Returns the exchange to record, without texts that other people wrote. */
const toRecordedDraft = (state: CallerState, name: ConversationInterface, answer: Answer): ExchangeDraft =>
  answer.kind === "success" && answer.draft.operation === "list"
    ? withholdOtherTexts(answer, name, (element) => isOwnConversation(state, dialects[name].read(element)))
    : answer.draft;

function findStop({ signal, remainingMs }: CallerOptions): CallerStop | undefined {
  if (signal?.aborted === true) {
    return { cause: "interrupted", reason: String(signal.reason) };
  }
  return remainingMs() > 0
    ? undefined
    : { cause: "deadline", reason: "the time was used up before all calls of the conversation API were sent" };
}

async function pause({ wait, remainingMs, signal }: CallerOptions, ms: number): Promise<void> {
  if (ms > 0 && signal?.aborted !== true) {
    await wait(Math.max(0, Math.min(ms, remainingMs())), signal).catch((cause: unknown) => {
      if (signal?.aborted !== true) {
        throw cause;
      }
    });
  }
}

/** Waits for the rate limit and for the wait that the target asked for. */
async function waitForTurn(options: CallerOptions, state: CallerState): Promise<void> {
  await pause(options, options.rateLimit.reserveSlot());
  await pause(options, (state.blockedUntilMicros - options.clock.nowMicros()) / 1000);
}

/** An answer, and the wait it asks for, if any. */
interface AnswerWithWait {
  readonly answer: Answer;
  readonly waitMs: number | undefined;
}

/**
 * Returns the distress that an answer shows. A busy target that asks for an acceptable wait is not in distress the first time. Answers to
 * calls that were in flight then are treated alike.
 */
function detectDistress({ clock, limits }: CallerOptions, state: CallerState, { answer, waitMs }: AnswerWithWait) {
  const distress = findDistress(answer);
  if (distress?.cause !== "busy" || waitMs === undefined || waitMs > limits.maxRetryWaitMs) {
    return distress;
  }
  state.firstWaitAtMicros ??= clock.nowMicros();
  return answer.draft.times.sentAtMicros <= state.firstWaitAtMicros ? undefined : distress;
}

function blockCalls({ limits, clock }: CallerOptions, state: CallerState, waitMs = 0): void {
  const untilMicros = clock.nowMicros() + Math.min(limits.maxRetryWaitMs, waitMs) * 1000;
  state.blockedUntilMicros = Math.max(state.blockedUntilMicros, untilMicros);
}

function updateState(options: CallerOptions, state: CallerState, answer: Answer): void {
  const { mainCredential, signal } = options;
  state.consecutiveFailures = answer.kind === "broken" ? state.consecutiveFailures + 1 : 0;
  const { end } = answer.draft;
  if (state.consecutiveFailures === maxConsecutiveFailures && end.kind === "failed" && signal?.aborted !== true) {
    const reason = `${maxConsecutiveFailures} calls in a row failed, so no more were sent; the last failure: ${end.message}`;
    state.stop ??= { cause: "broken-calls", reason };
  }
  const waitMs = requestedWaitMs(answer, (options.nowMs ?? Date.now)());
  if (answer.kind === "server-failure") {
    blockCalls(options, state, waitMs);
  }
  if (answer.draft.credential === mainCredential) {
    state.distress ??= detectDistress(options, state, { answer, waitMs });
  }
}

async function send(
  options: CallerOptions,
  { probe, credential, session }: CallOrigin,
  call: PlainCall & Pick<CallRequest, "scheme">,
): Promise<Answer> {
  const { nextId, limits, remainingMs, signal, listener } = options;
  listener?.exchangeStarted?.(probe);
  const draft = await options.send({
    ...call,
    id: nextId(),
    probe: probe.id,
    credential,
    session,
    totalTimeoutMs: Math.max(1, Math.round(Math.min(limits.callTimeoutMs, remainingMs()))),
    ...defined({ signal }),
  });
  return readAnswer(draft);
}

async function record({ writer, listener }: CallerOptions, probe: ConversationProbe, draft: ExchangeDraft) {
  const exchangeRecord = await writer?.writeExchange(draft);
  if (exchangeRecord !== undefined) {
    listener?.exchangeRecorded?.(probe, exchangeRecord);
  }
}

/**
 * Reports whether a call is retried after the wait that the target asked for. Only status 429 guarantees that the call had no effect. With
 * another status only reads are retried, and cancellations, which have no further effect the second time.
 */
function shouldRetry({ nowMs = Date.now, limits }: CallerOptions, answer: Answer): boolean {
  const waitMs = requestedWaitMs(answer, nowMs());
  const isHarmless = ["get", "list", "cancel"].includes(answer.draft.operation);
  return (
    waitMs !== undefined &&
    waitMs <= limits.maxRetryWaitMs &&
    findDistress(answer)?.cause === "busy" &&
    (answer.status === 429 || isHarmless)
  );
}

/** Sends a call. If the first call with the main credential is refused, retries it with the other scheme. */
async function sendWithAcceptedScheme(
  { mainCredential }: CallerOptions,
  { schemes }: CallerState,
  sendWithScheme: (scheme?: AuthorizationScheme) => Promise<Answer | undefined>,
): Promise<Answer | undefined> {
  const answer = await sendWithScheme();
  const { interface: name, credential } = answer?.draft ?? {};
  if (answer === undefined || credential !== mainCredential || (name !== "legacy" && name !== "current")) {
    return answer;
  }
  const scheme = selectSchemeToTry(schemes, name, answer);
  const retryAnswer = scheme === undefined ? undefined : await sendWithScheme(scheme);
  if (scheme !== undefined && retryAnswer !== undefined) {
    recordScheme(schemes, name, { scheme, answer: retryAnswer });
  }
  return schemes.byInterface.get(name) === scheme ? (retryAnswer ?? answer) : answer;
}

/**
 * Creates a caller. Calls wait for the rate limit and are recorded when they end. They stop after an interrupt, when the time is up,
 * and after three failures in a row. After 429 or 5xx all calls wait as long as the target asked, up to the limit. The refused call
 * is retried once. A target that is busy again after that, or does not name a wait, is in distress.
 */
export function createCaller(options: CallerOptions): Caller {
  const state: CallerState = {
    consecutiveFailures: 0,
    stop: undefined,
    distress: undefined,
    firstWaitAtMicros: undefined,
    blockedUntilMicros: Number.NEGATIVE_INFINITY,
    ownIds: new Set(),
    requestNames: options.requestNames ?? { describedMembers: new Map() },
    schemes: options.authorizationSchemes ?? createAuthorizationSchemes(),
  };
  const isStopped = (): boolean => (state.stop ??= findStop(options)) !== undefined;
  const callOnce = async (
    origin: CallOrigin,
    call: PlainCall,
    scheme = state.schemes.byInterface.get(call.interface),
  ): Promise<Answer | undefined> => {
    if (isStopped()) {
      return undefined;
    }
    await waitForTurn(options, state);
    if (isStopped()) {
      return undefined;
    }
    try {
      const answer = await send(options, origin, {
        ...applyRequestNames(call, state.requestNames),
        ...defined({ scheme }),
      });
      recordOwnConversation(state, call.interface, answer);
      await record(options, origin.probe, toRecordedDraft(state, call.interface, answer));
      updateState(options, state, answer);
      return answer;
    } catch (cause) {
      // Requests that cannot be recorded must not be sent.
      state.stop ??= {
        cause: "not-recorded",
        reason: "a call of the conversation API could not be sent or recorded",
      };
      throw cause;
    }
  };
  return {
    async call(origin, call) {
      const answer = await sendWithAcceptedScheme(options, state, (scheme) => callOnce(origin, call, scheme));
      return answer !== undefined && shouldRetry(options, answer) ? ((await callOnce(origin, call)) ?? answer) : answer;
    },
    pause: (ms) => (isStopped() ? Promise.resolve() : pause(options, ms)),
    halt: (stop) => void (state.stop ??= stop),
    get stop() {
      return state.stop;
    },
    get distress() {
      return state.distress;
    },
  };
}

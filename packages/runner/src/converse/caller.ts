import { defined } from "@assay/contract";
import type { AuthorizationScheme, CallRequest } from "@assay/client";
import type { BundleWriter, CredentialKind, ExchangeDraft, ExchangeRecord } from "@assay/evidence";
import { readAnswer } from "./answer.ts";
import type { Answer } from "./answer.ts";
import { createAuthorizationForms, formToTry, learnForm } from "./authorization-schemes.ts";
import type { AuthorizationForms } from "./authorization-schemes.ts";
import type { ConversationLimits } from "./conversation-limits.ts";
import type { ConversationProbe } from "./conversation-probe.ts";
import type { DrivenConversation } from "./driven-conversation.ts";
import type { ConversationInterface, PlainCall } from "./dialect.ts";
import { distressIn } from "./distress.ts";
import type { Distress } from "./distress.ts";
import { dialects } from "./dialects.ts";
import type { Clock, RateLimit } from "./rate-limit.ts";
import { learnSpelling, withRequestNames } from "./request-names.ts";
import type { RequestNames } from "./request-names.ts";
import { requestedWaitMs } from "./retry-wait.ts";
import { isAnyMarked, lastPart } from "./thread.ts";
import { withoutOthersText } from "./withheld-text.ts";

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
  /** Called after each question counted in the budget. `allowed` may be `Infinity`. */
  questionAsked?(questions: number, allowed: number): void;
}

export interface CallerOptions {
  readonly send: SendCall;
  /** Without it nothing is recorded. */
  readonly writer?: Pick<BundleWriter, "writeExchange">;
  readonly nextId: () => string;
  readonly mainCredential: CredentialKind;
  readonly limits: ConversationLimits;
  readonly rateLimit: RateLimit;
  readonly clock: Clock;
  /** Wall clock in milliseconds, to interpret times in answers [Date.now]. */
  readonly nowMs?: () => number;
  readonly wait: Wait;
  /** Milliseconds left. Called before each call, which is not sent at 0 or below. */
  readonly leftMs: () => number;
  readonly signal?: AbortSignal;
  readonly listener?: ConverseListener;
  /** Names of request members; updated from answers [the usual names]. */
  readonly requestNames?: RequestNames;
  /** Authorization scheme by interface; updated from answers [the usual ones]. */
  readonly authorizationForms?: AuthorizationForms;
}

/** The reason why no more calls are sent. */
export interface CallerStop {
  readonly cause: "interrupted" | "deadline" | "broken-calls" | "not-recorded" | "bail";
  /** One sentence, or the name of the signal of an interrupt. */
  readonly reason: string;
}

/** The credential, session and probe of a call. */
export interface Asker {
  readonly probe: ConversationProbe;
  readonly credential: CredentialKind;
  readonly session: string;
}

/** Sends calls in sequence or concurrently, records each, and stops when it has to. */
export interface Caller {
  /** Undefined if it was not sent because the run is stopping. Fails if it cannot be sent or recorded. */
  call(asker: Asker, call: PlainCall): Promise<Answer | undefined>;
  /** Waits unless the run is stopping. */
  pause(ms: number): Promise<void>;
  /** The reason why no more calls are sent, once there is one. */
  readonly stop: CallerStop | undefined;
  /** Stops sending for this reason, unless there already is one. */
  halt(stop: CallerStop): void;
  /** The reason why no more questions are asked, once there is one. */
  readonly distress: Distress | undefined;
}

const maxBrokenInARow = 3;

interface CallerState {
  broken: number;
  stop: CallerStop | undefined;
  distress: Distress | undefined;
  /** When a target first asked for a wait. */
  believedAtMicros: number | undefined;
  /** No call is sent before this time, at the request of the target. */
  blockedUntilMicros: number;
  /** Last parts of the ids of conversations that were created by a run or have the mark of one. */
  readonly ours: Set<string>;
  readonly names: RequestNames;
  readonly forms: AuthorizationForms;
}

/** Reports whether a run of this program created the conversation. */
const isOurs = ({ ours }: CallerState, view: DrivenConversation): boolean =>
  isAnyMarked(view) || (view.id !== undefined && ours.has(lastPart(view.id)));

/** Remembers the spelling of an answer, and its conversation if a run of this program created it. */
function learnOurs(state: CallerState, name: ConversationInterface, { draft, kind, json }: Answer): void {
  if (kind === "success" && name === "current") {
    learnSpelling(state.names, json);
  }
  const view = kind === "success" ? dialects[name].read(json) : undefined;
  if (view?.id !== undefined && (draft.operation === "create" || isOurs(state, view))) {
    state.ours.add(lastPart(view.id));
  }
}

/** An exchange as it is recorded, without texts that other people wrote. */
const keptDraft = (state: CallerState, name: ConversationInterface, answer: Answer): ExchangeDraft =>
  answer.kind === "success" && answer.draft.operation === "list"
    ? withoutOthersText(answer, name, (element) => isOurs(state, dialects[name].read(element)))
    : answer.draft;

function findStop({ signal, leftMs }: CallerOptions): CallerStop | undefined {
  if (signal?.aborted === true) {
    return { cause: "interrupted", reason: String(signal.reason) };
  }
  return leftMs() > 0
    ? undefined
    : { cause: "deadline", reason: "the time was used up before all calls of the conversation API were sent" };
}

async function pause({ wait, leftMs, signal }: CallerOptions, ms: number): Promise<void> {
  if (ms > 0 && signal?.aborted !== true) {
    await wait(Math.max(0, Math.min(ms, leftMs())), signal).catch((cause: unknown) => {
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
 * The distress shown by an answer. A busy target that asks for an acceptable wait is not in distress the first time. The same goes for
 * the answers to calls that were in flight at that time.
 */
function detectDistress({ clock, limits }: CallerOptions, state: CallerState, { answer, waitMs }: AnswerWithWait) {
  const distress = distressIn(answer);
  if (distress?.cause !== "busy" || waitMs === undefined || waitMs > limits.maxRetryWaitMs) {
    return distress;
  }
  state.believedAtMicros ??= clock.nowMicros();
  return answer.draft.times.sentAtMicros <= state.believedAtMicros ? undefined : distress;
}

function blockCalls({ limits, clock }: CallerOptions, state: CallerState, waitMs = 0): void {
  const untilMicros = clock.nowMicros() + Math.min(limits.maxRetryWaitMs, waitMs) * 1000;
  state.blockedUntilMicros = Math.max(state.blockedUntilMicros, untilMicros);
}

function learn(options: CallerOptions, state: CallerState, answer: Answer): void {
  const { mainCredential, signal } = options;
  state.broken = answer.kind === "broken" ? state.broken + 1 : 0;
  const { end } = answer.draft;
  if (state.broken === maxBrokenInARow && end.kind === "failed" && signal?.aborted !== true) {
    const reason = `${maxBrokenInARow} calls in a row failed, so no more were sent; the last failure: ${end.message}`;
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
  { probe, credential, session }: Asker,
  call: PlainCall & Pick<CallRequest, "scheme">,
): Promise<Answer> {
  const { nextId, limits, leftMs, signal, listener } = options;
  listener?.exchangeStarted?.(probe);
  const draft = await options.send({
    ...call,
    id: nextId(),
    probe: probe.id,
    credential,
    session,
    totalTimeoutMs: Math.max(1, Math.round(Math.min(limits.callTimeoutMs, leftMs()))),
    ...defined({ signal }),
  });
  return readAnswer(draft);
}

async function record({ writer, listener }: CallerOptions, probe: ConversationProbe, draft: ExchangeDraft) {
  const written = await writer?.writeExchange(draft);
  if (written !== undefined) {
    listener?.exchangeRecorded?.(probe, written);
  }
}

/**
 * Reports whether a call is retried after the wait that the target asked for. Only status 429 guarantees that the call had no effect. With
 * another status only reads are retried, and cancellations, which have no further effect the second time.
 */
function isRetried({ nowMs = Date.now, limits }: CallerOptions, answer: Answer): boolean {
  const waitMs = requestedWaitMs(answer, nowMs());
  const isHarmless = ["get", "list", "cancel"].includes(answer.draft.operation);
  return (
    waitMs !== undefined &&
    waitMs <= limits.maxRetryWaitMs &&
    distressIn(answer)?.cause === "busy" &&
    (answer.status === 429 || isHarmless)
  );
}

/** Sends a call. Retries it with the other scheme if it is the first one of the main credential and is refused. */
async function withAcceptedScheme(
  { mainCredential }: CallerOptions,
  { forms }: CallerState,
  sendIn: (scheme?: AuthorizationScheme) => Promise<Answer | undefined>,
): Promise<Answer | undefined> {
  const answer = await sendIn();
  const { interface: name, credential } = answer?.draft ?? {};
  if (answer === undefined || credential !== mainCredential || (name !== "legacy" && name !== "current")) {
    return answer;
  }
  const scheme = formToTry(forms, name, answer);
  const retryDraft = scheme === undefined ? undefined : await sendIn(scheme);
  if (scheme !== undefined && retryDraft !== undefined) {
    learnForm(forms, name, { scheme, answer: retryDraft });
  }
  return forms.found.get(name) === scheme ? (retryDraft ?? answer) : answer;
}

/**
 * Creates a caller. Calls wait for the rate limit and are recorded when they end. They stop after an interrupt, when the time is up,
 * and after three failures in a row. After 429 or 5xx all calls wait as long as the target asked, up to the limit, and the refused call
 * is retried once. A target that is busy again after that, or does not name a wait, is in distress.
 */
export function createCaller(options: CallerOptions): Caller {
  const state: CallerState = {
    broken: 0,
    stop: undefined,
    distress: undefined,
    believedAtMicros: undefined,
    blockedUntilMicros: Number.NEGATIVE_INFINITY,
    ours: new Set(),
    names: options.requestNames ?? { described: new Map() },
    forms: options.authorizationForms ?? createAuthorizationForms(),
  };
  const isStopped = (): boolean => (state.stop ??= findStop(options)) !== undefined;
  const callOnce = async (
    asker: Asker,
    call: PlainCall,
    scheme = state.forms.found.get(call.interface),
  ): Promise<Answer | undefined> => {
    if (isStopped()) {
      return undefined;
    }
    await waitForTurn(options, state);
    if (isStopped()) {
      return undefined;
    }
    try {
      const answer = await send(options, asker, {
        ...withRequestNames(call, state.names),
        ...defined({ scheme }),
      });
      learnOurs(state, call.interface, answer);
      await record(options, asker.probe, keptDraft(state, call.interface, answer));
      learn(options, state, answer);
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
    async call(asker, call) {
      const answer = await withAcceptedScheme(options, state, (scheme) => callOnce(asker, call, scheme));
      return answer !== undefined && isRetried(options, answer) ? ((await callOnce(asker, call)) ?? answer) : answer;
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

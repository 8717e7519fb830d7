import { defined } from "@assay/contract";
import type { AuthorizationScheme, CallRequest } from "@assay/client";
import type { BundleWriter, CredentialKind, ExchangeDraft, ExchangeRecord } from "@assay/evidence";
import { answerOf } from "./answer.ts";
import type { Answer } from "./answer.ts";
import { createAuthorizationForms, formToTry, learnForm } from "./authorization-forms.ts";
import type { AuthorizationForms } from "./authorization-forms.ts";
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
import { namedWaitMs } from "./retry-wait.ts";
import { isAnyMarked, lastPart } from "./thread.ts";
import { withoutOthersText } from "./withheld-text.ts";

/**
 * Sends a call with the token of its credential (that of `other-scheme` is the main one) and returns what came back; a failure
 * of the connection is part of what it returns. It has to obey the signal and the timeout of the call: cleaning up after an
 * interrupt comes with a signal of its own.
 */
export type SendCall = (call: CallRequest & { readonly id: string; readonly probe: string }) => Promise<ExchangeDraft>;

/** Waits; when the signal is aborted it ends early, whether it resolves or rejects. */
export type Wait = (ms: number, signal: AbortSignal | undefined) => Promise<unknown>;

/** What people are told while conversations go on. */
export interface ConverseListener {
  exchangeStarted?(probe: ConversationProbe): void;
  exchangeRecorded?(probe: ConversationProbe, record: ExchangeRecord): void;
  probeSkipped?(probe: ConversationProbe, reason: string): void;
  /** After each question that was paid for. `allowed` may be `Infinity`. */
  questionAsked?(asked: number, allowed: number): void;
}

/** What everything that sends calls needs. */
export interface CallerOptions {
  readonly send: SendCall;
  /** Absent where no bundle is open: then nothing is recorded. */
  readonly writer?: Pick<BundleWriter, "writeExchange">;
  readonly nextId: () => string;
  readonly mainCredential: CredentialKind;
  readonly limits: ConversationLimits;
  readonly rateLimit: RateLimit;
  readonly clock: Clock;
  /** Wall clock in milliseconds, for times that a target names [Date.now]. */
  readonly nowMs?: () => number;
  readonly wait: Wait;
  /** Milliseconds that are left for everything; asked before each call, which is not sent at 0 or below. */
  readonly leftMs: () => number;
  readonly signal?: AbortSignal;
  readonly listener?: ConverseListener;
  /** How members of requests are called; learns from answers [the usual names]. */
  readonly requestNames?: RequestNames;
  /** The word before tokens by interface; learns from answers [the usual ones]. */
  readonly authorizationForms?: AuthorizationForms;
}

/** Why nothing more is sent. */
export interface CallerStop {
  readonly cause: "interrupted" | "deadline" | "broken-calls" | "not-recorded" | "bail";
  /** One sentence; for an interrupt the name of the signal. */
  readonly reason: string;
}

/** Who sends a call, and as part of what. */
export interface Asker {
  readonly probe: ConversationProbe;
  readonly credential: CredentialKind;
  readonly session: string;
}

/** Sends calls one after the other or at the same time, records each, and knows when to stop. */
export interface Caller {
  /** Undefined when it was not sent, because everything has to stop. Fails when it cannot be sent or recorded. */
  call(asker: Asker, call: PlainCall): Promise<Answer | undefined>;
  /** Waits unless everything has to stop. */
  pause(ms: number): Promise<void>;
  /** Why nothing more is sent, as soon as that is known. */
  readonly stop: CallerStop | undefined;
  /** Sends nothing more, for this reason unless there is one already. */
  halt(stop: CallerStop): void;
  /** Why no more questions are asked. */
  readonly distress: Distress | undefined;
}

const maxBrokenInARow = 3;

interface CallerState {
  broken: number;
  stop: CallerStop | undefined;
  distress: Distress | undefined;
  /** When a target first said when it is well again. */
  believedAtMicros: number | undefined;
  /** Until when the target asked to be left alone. */
  blockedUntilMicros: number;
  /** The last parts of the ids of conversations that were created, or seen with the mark of a run. */
  readonly ours: Set<string>;
  readonly names: RequestNames;
  readonly forms: AuthorizationForms;
}

/** Whether a run of this program has made a conversation. */
const isOurs = ({ ours }: CallerState, view: DrivenConversation): boolean =>
  isAnyMarked(view) || (view.id !== undefined && ours.has(lastPart(view.id)));

/** Remembers how an answer is spelt, and the conversation that it shows, where a run of this program has made it. */
function learnOurs(state: CallerState, name: ConversationInterface, { draft, kind, json }: Answer): void {
  if (kind === "success" && name === "current") {
    learnSpelling(state.names, json);
  }
  const view = kind === "success" ? dialects[name].read(json) : undefined;
  if (view?.id !== undefined && (draft.operation === "create" || isOurs(state, view))) {
    state.ours.add(lastPart(view.id));
  }
}

/** An exchange as it is kept: what others wrote is nobody's business. */
const keptDraft = (state: CallerState, name: ConversationInterface, answer: Answer): ExchangeDraft =>
  answer.kind === "success" && answer.draft.operation === "list"
    ? withoutOthersText(answer, name, (element) => isOurs(state, dialects[name].read(element)))
    : answer.draft;

function stopOf({ signal, leftMs }: CallerOptions): CallerStop | undefined {
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

/** Waits for the rate and for what the target asked for. */
async function waitForTurn(options: CallerOptions, state: CallerState): Promise<void> {
  await pause(options, options.rateLimit.takePlace());
  await pause(options, (state.blockedUntilMicros - options.clock.nowMicros()) / 1000);
}

/** An answer, and how long it asks to wait, if it says anything of it. */
interface AnswerWithWait {
  readonly answer: Answer;
  readonly waitMs: number | undefined;
}

/**
 * The distress that an answer shows. A target that is busy is waited for instead, once: it is believed when it says when it is
 * well again, also of the calls that were on their way meanwhile, unless that is later than is waited for.
 */
function distressOf({ clock, limits }: CallerOptions, state: CallerState, { answer, waitMs }: AnswerWithWait) {
  const distress = distressIn(answer);
  if (distress?.cause !== "busy" || waitMs === undefined || waitMs > limits.maxRetryWaitMs) {
    return distress;
  }
  state.believedAtMicros ??= clock.nowMicros();
  return answer.draft.times.sentAtMicros <= state.believedAtMicros ? undefined : distress;
}

function blockFor({ limits, clock }: CallerOptions, state: CallerState, waitMs = 0): void {
  const untilMicros = clock.nowMicros() + Math.min(limits.maxRetryWaitMs, waitMs) * 1000;
  state.blockedUntilMicros = Math.max(state.blockedUntilMicros, untilMicros);
}

function learn(options: CallerOptions, state: CallerState, answer: Answer): void {
  const { mainCredential, signal } = options;
  state.broken = answer.kind === "broken" ? state.broken + 1 : 0;
  const { end } = answer.draft;
  if (state.broken === maxBrokenInARow && end.kind === "failed" && signal?.aborted !== true) {
    const reason = `${maxBrokenInARow} calls in a row broke off, so no more were sent; the last one: ${end.message}`;
    state.stop ??= { cause: "broken-calls", reason };
  }
  const waitMs = namedWaitMs(answer, (options.nowMs ?? Date.now)());
  if (answer.kind === "distress") {
    blockFor(options, state, waitMs);
  }
  if (answer.draft.credential === mainCredential) {
    state.distress ??= distressOf(options, state, { answer, waitMs });
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
  return answerOf(draft);
}

async function record({ writer, listener }: CallerOptions, probe: ConversationProbe, draft: ExchangeDraft) {
  const written = await writer?.writeExchange(draft);
  if (written !== undefined) {
    listener?.exchangeRecorded?.(probe, written);
  }
}

/**
 * Whether a call is sent once more, when the wait is over that the target named. Only of status 429 it is certain that the
 * call was not carried out: with another status only what changes nothing is sent again, and a cancel, which changes nothing more
 * the second time.
 */
function isAskedAgain({ nowMs = Date.now, limits }: CallerOptions, answer: Answer): boolean {
  const waitMs = namedWaitMs(answer, nowMs());
  const isHarmless = ["get", "list", "cancel"].includes(answer.draft.operation);
  return (
    waitMs !== undefined &&
    waitMs <= limits.maxRetryWaitMs &&
    distressIn(answer)?.cause === "busy" &&
    (answer.status === 429 || isHarmless)
  );
}

/** Sends a call, and once more in the other form where it is the first of the main credential and is turned away. */
async function inAcceptedForm(
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
  const other = scheme === undefined ? undefined : await sendIn(scheme);
  if (scheme !== undefined && other !== undefined) {
    learnForm(forms, name, { scheme, answer: other });
  }
  return forms.found.get(name) === scheme ? (other ?? answer) : answer;
}

/**
 * A caller. Calls wait for their turn, are recorded as they end, and stop after an interrupt, when the time is up, and after
 * three in a row that broke off. After 429 or 5xx all wait as long as the target asked, within the limit, and what was turned
 * away is sent once more. A target that is busy once and says until when is in no distress; one that is busy again, or does not say it, is.
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
  const isStopped = (): boolean => (state.stop ??= stopOf(options)) !== undefined;
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
      // What cannot be recorded must not be asked for.
      state.stop ??= {
        cause: "not-recorded",
        reason: "a call of the conversation API could not be sent or recorded",
      };
      throw cause;
    }
  };
  return {
    async call(asker, call) {
      const answer = await inAcceptedForm(options, state, (scheme) => callOnce(asker, call, scheme));
      return answer !== undefined && isAskedAgain(options, answer) ? ((await callOnce(asker, call)) ?? answer) : answer;
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

import type { CredentialKind, UnsentCause } from "@assay/evidence";
import type { Answer } from "./answer.ts";
import type { Asker, Caller, ConverseListener } from "./caller.ts";
import type { ConversationLimits } from "./conversation-limits.ts";
import type { ConversationProbeId } from "@assay/contract";
import { conversationProbe } from "./conversation-probe.ts";
import type { ConversationInterface, Dialect, PlainCall } from "./dialect.ts";
import type { Ledger } from "./ledger.ts";
import type { QuestionBudget } from "./question-budget.ts";
import type { Clock } from "./rate-limit.ts";
import { type Thread, isMarked, isSameConversation } from "./thread.ts";

/** Why a probe is not sent. */
export interface WhyUnsent {
  readonly cause: UnsentCause;
  /** A clause. */
  readonly reason: string;
}

/** A probe that was wanted and not sent. */
export interface SkippedProbe extends WhyUnsent {
  readonly probe: ConversationProbeId;
  readonly interface: ConversationInterface;
}

/** What both interfaces of a run share. */
export interface SharedContext {
  readonly caller: Caller;
  readonly budget: QuestionBudget;
  readonly ledger: Ledger;
  readonly limits: ConversationLimits;
  /** Id of the run. */
  readonly marker: string;
  readonly mainCredential: CredentialKind;
  /** Given besides the main one. */
  readonly credentials: ReadonlySet<CredentialKind>;
  /** Cannot be made from those that were given. */
  readonly unmade: ReadonlySet<CredentialKind>;
  readonly sharing: "on" | "off" | "undeclared";
  readonly nextQuestion: () => string;
  readonly clock: Clock;
  readonly nowMs: () => number;
  readonly random: () => number;
  readonly listener: ConverseListener | undefined;
  readonly skipped: SkippedProbe[];
}

/** One interface of a run. */
export interface DriveContext extends SharedContext {
  readonly dialect: Dialect;
  readonly needed: ReadonlySet<ConversationProbeId>;
  /** Conversations that were created, in order; the first is the one that lists and others look at. */
  readonly threads: Thread[];
  /** Why the interface is left alone, a clause. */
  unusable?: string;
  /** Longest time that polling a question took which ended and was not cancelled; absent while none has. */
  slowestEndMs?: number;
  /** Whether something that was written was not shown for so long that no lag explains it: that is not waited for again. */
  isLost?: boolean;
}

/** Why a probe is not sent because what it builds on is not there. */
export const other = (reason: string): WhyUnsent => ({ cause: "other", reason });

/** Notes that a probe which is needed was not sent. The same is noted once. */
export function skip(context: DriveContext, probe: ConversationProbeId, { cause, reason }: WhyUnsent): void {
  const name = context.dialect.interface;
  if (
    context.needed.has(probe) &&
    !context.skipped.some((known) => known.probe === probe && known.interface === name)
  ) {
    context.skipped.push({ probe, interface: name, cause, reason });
    context.listener?.probeSkipped?.(conversationProbe(probe, name), reason);
  }
}

/** Why nothing more is sent, or undefined. */
export function whyStopped({ caller: { stop } }: Pick<DriveContext, "caller">): WhyUnsent | undefined {
  if (stop === undefined) {
    return undefined;
  }
  const reason = stop.cause === "interrupted" ? `the run was interrupted (${stop.reason})` : stop.reason;
  return { cause: stop.cause === "bail" ? "bail" : "other", reason };
}

/** Why a probe cannot be sent although it is needed, a clause; undefined if it can, or need not. */
export interface Condition {
  /** Whether a token that the probe needs was not given, and the clause if so. */
  readonly ungiven?: readonly [isMissing: boolean, reason: string];
  /** Whether anything else that the probe needs is not there, and the clause if so. */
  readonly unless?: readonly (readonly [isMissing: boolean, reason: string])[];
}

function whyNotDue(context: DriveContext, { ungiven, unless = [] }: Condition): WhyUnsent | undefined {
  const stopped = whyStopped(context);
  if (stopped !== undefined) {
    return stopped;
  }
  if (context.unusable === undefined && ungiven?.[0] === true) {
    return { cause: "token", reason: ungiven[1] };
  }
  const why = context.unusable ?? unless.find(([isMissing]) => isMissing)?.[1];
  return why === undefined ? undefined : other(why);
}

/** Whether a probe is needed and can be sent; what is needed and cannot be is noted. */
export function isDue(context: DriveContext, probe: ConversationProbeId, condition: Condition = {}): boolean {
  if (!context.needed.has(probe)) {
    return false;
  }
  const why = whyNotDue(context, condition);
  if (why !== undefined) {
    skip(context, probe, why);
  }
  return why === undefined;
}

/** Who asks as part of a probe [the main user, in the session of his credential]. */
export function askerOf(
  { dialect, mainCredential }: DriveContext,
  probe: ConversationProbeId,
  { credential = mainCredential, session = `${dialect.interface}-${credential}` }: Partial<Omit<Asker, "probe">> = {},
): Asker {
  return { probe: conversationProbe(probe, dialect.interface), credential, session };
}

/** Sends a call as part of a probe. */
export const ask = (
  context: DriveContext,
  probe: ConversationProbeId,
  { call, ...who }: { readonly call: PlainCall } & Partial<Omit<Asker, "probe">>,
): Promise<Answer | undefined> => context.caller.call(askerOf(context, probe, who), call);

/** Whether an answer is a status from 500 that names no time to try again. */
export const isInternalError = ({ draft, kind, status }: Answer): boolean =>
  kind === "distress" &&
  status >= 500 &&
  draft.response?.headers.some(([name]) => name.toLowerCase() === "retry-after") !== true;

/**
 * Sends a call as part of a probe, and once more where it is answered with an internal error: that may be one of the moment, or
 * the answer to this very call.
 */
export async function askTwice(
  context: DriveContext,
  probe: ConversationProbeId,
  asked: { readonly call: PlainCall } & Partial<Omit<Asker, "probe">>,
): Promise<Answer | undefined> {
  const answer = await ask(context, probe, asked);
  return answer !== undefined && isInternalError(answer) ? ((await ask(context, probe, asked)) ?? answer) : answer;
}

/** Looks at an answer that shows a conversation of the run. */
export function learnThread(
  { dialect, marker }: Pick<DriveContext, "dialect" | "marker">,
  thread: Thread,
  answer: Answer,
): void {
  const view = dialect.read(answer.json);
  if (answer.kind === "success" && isSameConversation(view, thread)) {
    thread.view = view;
    thread.isOurs ||= isMarked(view, marker);
  }
}

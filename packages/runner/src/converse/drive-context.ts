import type { CredentialKind, UnsentCause } from "@assay/evidence";
import type { Answer } from "./answer.ts";
import type { CallOrigin, Caller, ConverseListener } from "./caller.ts";
import type { ConversationLimits } from "./conversation-limits.ts";
import type { ConversationProbeId } from "@assay/contract";
import { createConversationProbe } from "./conversation-probe.ts";
import type { ConversationInterface, Dialect, PlainCall } from "./dialect.ts";
import type { Ledger } from "./ledger.ts";
import type { QuestionBudget } from "./question-budget.ts";
import type { Clock } from "./rate-limit.ts";
import { type RunConversation, isMarked, isSameConversation } from "./run-conversation.ts";

/** The reason a probe is not sent. */
export interface UnsentReason {
  readonly cause: UnsentCause;
  /** A clause. */
  readonly reason: string;
}

/** A needed probe that was not sent. */
export interface SkippedProbe extends UnsentReason {
  readonly probe: ConversationProbeId;
  readonly interface: ConversationInterface;
}

/** State shared by both interfaces of a run. */
export interface SharedContext {
  readonly caller: Caller;
  readonly budget: QuestionBudget;
  readonly ledger: Ledger;
  readonly limits: ConversationLimits;
  /** Id of the run. */
  readonly marker: string;
  readonly mainCredential: CredentialKind;
  /** Credentials in addition to the main one. */
  readonly credentials: ReadonlySet<CredentialKind>;
  /** Credentials that cannot be derived from the configured ones. */
  readonly unavailableCredentials: ReadonlySet<CredentialKind>;
  readonly sharing: "on" | "off" | "undeclared";
  readonly nextQuestion: () => string;
  readonly clock: Clock;
  readonly nowMs: () => number;
  readonly random: () => number;
  readonly listener: ConverseListener | undefined;
  readonly skippedProbes: SkippedProbe[];
}

/** The state of one interface in a run. */
export interface DriveContext extends SharedContext {
  readonly dialect: Dialect;
  readonly neededProbes: ReadonlySet<ConversationProbeId>;
  /** Created conversations, in order. Lists and other users read the first one. */
  readonly conversations: RunConversation[];
  /** Conversations that were deleted while their question was in progress. */
  readonly deletedAtWork: RunConversation[];
  /** Conversations of generated sequences, which may have deleted them. */
  readonly exploredConversations: RunConversation[];
  /** Number of the generated sequence that is being sent, from 1. Absent before the first. */
  sequenceNumber?: number;
  /** The reason, as a clause, why the interface is no longer used. */
  unusableReason?: string;
  /** Longest polling time of a question that ended without a cancellation; absent if there is none. */
  slowestEndMs?: number;
  /** Shortest polling time of a question that was answered; absent if there is none. */
  fastestEndMs?: number;
  /** True after a write stayed invisible for longer than any replication lag. Later writes are then not waited for. */
  hasLostWrite?: boolean;
}

/** Creates the reason for a probe that lacks a precondition. */
export const createUnsentReason = (reason: string): UnsentReason => ({ cause: "other", reason });

/** Records once that a needed probe was not sent. */
export function recordSkipped(
  context: DriveContext,
  probe: ConversationProbeId,
  { cause, reason }: UnsentReason,
): void {
  const name = context.dialect.interface;
  if (
    context.neededProbes.has(probe) &&
    !context.skippedProbes.some((entry) => entry.probe === probe && entry.interface === name)
  ) {
    context.skippedProbes.push({ probe, interface: name, cause, reason });
    context.listener?.probeSkipped?.(createConversationProbe(probe, name), reason);
  }
}

/** Returns the reason no more calls are sent, if there is one. */
export function findStopReason({ caller: { stop } }: Pick<DriveContext, "caller">): UnsentReason | undefined {
  if (stop === undefined) {
    return undefined;
  }
  const reason = stop.cause === "interrupted" ? `the run was interrupted (${stop.reason})` : stop.reason;
  return { cause: stop.cause === "bail" ? "bail" : "other", reason };
}

/** The preconditions of a probe besides those that apply to every probe. */
export interface ProbePreconditions {
  /** Whether a required token is missing, with a clause about it. */
  readonly missingToken?: readonly [isMissing: boolean, reason: string];
  /** Other missing preconditions, each with a clause. */
  readonly missingPreconditions?: readonly (readonly [isMissing: boolean, reason: string])[];
}

function findSkipReason(
  context: DriveContext,
  { missingToken, missingPreconditions = [] }: ProbePreconditions,
): UnsentReason | undefined {
  const stopReason = findStopReason(context);
  if (stopReason !== undefined) {
    return stopReason;
  }
  if (context.unusableReason === undefined && missingToken?.[0] === true) {
    return { cause: "token", reason: missingToken[1] };
  }
  const reason = context.unusableReason ?? missingPreconditions.find(([isMissing]) => isMissing)?.[1];
  return reason === undefined ? undefined : createUnsentReason(reason);
}

/** Reports whether a probe is needed and can be sent. Records a needed probe that cannot be sent. */
export function isDue(context: DriveContext, probe: ConversationProbeId, condition: ProbePreconditions = {}): boolean {
  if (!context.neededProbes.has(probe)) {
    return false;
  }
  const reason = findSkipReason(context, condition);
  if (reason !== undefined) {
    recordSkipped(context, probe, reason);
  }
  return reason === undefined;
}

/** Returns the origin of a probe's calls. Default: the main credential, and a session named after the credential. */
export function createOrigin(
  { dialect, mainCredential, sequenceNumber }: DriveContext,
  probe: ConversationProbeId,
  {
    credential = mainCredential,
    session = `${dialect.interface}-${credential}`,
  }: Partial<Omit<CallOrigin, "probe">> = {},
): CallOrigin {
  const conversationProbe = createConversationProbe(probe, dialect.interface);
  const title =
    probe === "sequences" && sequenceNumber !== undefined
      ? `generated sequence ${sequenceNumber}`
      : conversationProbe.title;
  return { probe: { ...conversationProbe, title }, credential, session };
}

export const sendProbe = (
  context: DriveContext,
  probe: ConversationProbeId,
  { call, ...origin }: { readonly call: PlainCall } & Partial<Omit<CallOrigin, "probe">>,
): Promise<Answer | undefined> => context.caller.call(createOrigin(context, probe, origin), call);

/** Reports whether an answer is a 5xx without a retry time. */
export const isInternalError = ({ draft, kind, status }: Answer): boolean =>
  kind === "server-failure" &&
  status >= 500 &&
  draft.response?.headers.some(([name]) => name.toLowerCase() === "retry-after") !== true;

/** Sends a call as part of a probe. Retries it once after an internal error, which may be temporary. */
export async function callWithRetry(
  context: DriveContext,
  probe: ConversationProbeId,
  request: { readonly call: PlainCall } & Partial<Omit<CallOrigin, "probe">>,
): Promise<Answer | undefined> {
  const answer = await sendProbe(context, probe, request);
  return answer !== undefined && isInternalError(answer)
    ? ((await sendProbe(context, probe, request)) ?? answer)
    : answer;
}

/** Updates one of the run's conversations from an answer that shows it. */
export function updateConversation(
  { dialect, marker }: Pick<DriveContext, "dialect" | "marker">,
  conversation: RunConversation,
  answer: Answer,
): void {
  const view = dialect.read(answer.json);
  if (answer.kind === "success" && isSameConversation(view, conversation)) {
    conversation.view = view;
    conversation.hasRunMark ||= isMarked(view, marker);
  }
}

import { visibleText } from "@assay/evidence";
import type { CredentialKind } from "@assay/evidence";
import type { Answer } from "./answer.ts";
import { createCaller } from "./caller.ts";
import type { Caller, CallerOptions } from "./caller.ts";
import { createConversationProbe } from "./conversation-probe.ts";
import type { DrivenConversation } from "./driven-conversation.ts";
import type { PlainCall } from "./dialect.ts";
import { dialects } from "./dialects.ts";
import { findMarkedConversations } from "./find-marked-conversations.ts";
import type { MarkedConversations } from "./find-marked-conversations.ts";
import type { Ledger, LedgerEntry } from "./ledger.ts";
import { isGone, lastReadDelayMs, readIntervalMs } from "./finish-conversations.ts";
import { isMarked } from "./run-conversation.ts";

export interface CleanUpOptions extends Omit<CallerOptions, "remainingMs"> {
  /** Entries of any number of runs, from `readLedger` or a ledger. */
  readonly entries: readonly LedgerEntry[];
  /** Available credentials, including the main one. Conversations created with others are left. */
  readonly credentials: ReadonlySet<CredentialKind>;
  /** Records each deletion. Default: nothing is recorded. */
  readonly ledger?: Pick<Ledger, "recordDeleted">;
  /** Time limit of the whole clean-up, in milliseconds. Default: 20,000. */
  readonly deadlineMs?: number;
}

/** Something that may still exist on the target. */
export interface RemainingItem {
  /** Interface and id, for display. */
  readonly label: string;
  /** A clause. */
  readonly reason: string;
  /** True if it was read and lacks the mark of the run, so it belongs to someone else. */
  readonly isForeign?: true;
}

export interface CleanUpResult {
  /** Interface and id of each deleted conversation, for display. */
  readonly deletedNames: readonly string[];
  readonly leftovers: readonly RemainingItem[];
}

interface CleanUpContext {
  readonly options: CleanUpOptions;
  readonly caller: Caller;
  readonly deletedNames: string[];
  readonly leftovers: RemainingItem[];
  /** True once the clean-up has waited for a deletion to take effect. */
  hasWaited: boolean;
}

/** A conversation to delete if it has the mark of its run. */
interface ConversationToDelete extends Pick<LedgerEntry, "interface" | "marker"> {
  readonly id: string;
  readonly credential: CredentialKind;
  readonly key?: string;
}

/** Credentials of the main user that may not delete, and invalid ones with which a target still created something. */
const mainUserCredentials: ReadonlySet<CredentialKind> = new Set([
  "read-token",
  "write-token",
  "unscoped-token",
  "other-scheme",
  "invalid-token",
  "invalid-oauth-token",
  "none",
]);

/** Returns the credential that may delete what the credential of an entry created. */
const selectDeletingCredential = (
  { credential }: Pick<LedgerEntry, "credential">,
  main: CredentialKind,
): CredentialKind => (mainUserCredentials.has(credential) ? main : credential);

const maxTries = 3;

/**
 * Sends a call, up to three times while the target returns server errors or breaks connections. A wait that the target asks for is
 * added by the caller.
 */
async function callWithRetries(
  { caller }: CleanUpContext,
  conversation: ConversationToDelete,
  call: PlainCall,
): Promise<Answer | undefined> {
  const session = `${conversation.interface}-cleanup-${conversation.credential}`;
  const origin = {
    probe: createConversationProbe("cleanup", conversation.interface),
    credential: conversation.credential,
    session,
  };
  let answer: Answer | undefined;
  for (let tries = 0; tries < maxTries; tries += 1) {
    answer = await caller.call(origin, call);
    if (answer === undefined || (answer.kind !== "server-failure" && answer.kind !== "broken")) {
      return answer;
    }
    await caller.pause(tries * 200);
  }
  return answer;
}

const describeConversation = ({ interface: name, id }: ConversationToDelete): string =>
  `${name} conversation ${visibleText(id, 100)}`;

function findStopReason({ caller: { stop } }: CleanUpContext): string | undefined {
  switch (stop?.cause) {
    case "deadline":
      return "the time for cleaning up was used up";
    case "interrupted":
      return "cleaning up was interrupted";
    case "broken-calls":
    case "not-recorded":
    case "bail":
    case undefined:
      return stop?.reason;
  }
}

const findListingReason = (context: CleanUpContext): string =>
  findStopReason(context) ?? "the conversations of the user could not be listed";

function describeFailure(context: CleanUpContext, action: string, answer: Answer | undefined): string {
  if (answer === undefined) {
    return findStopReason(context) ?? "cleaning up was stopped";
  }
  return answer.status === 0 ? `${action} was not answered` : `${action} returned status ${answer.status}`;
}

/** Cancels a question in progress before its deletion, so that it does not use more credits. */
async function cancelIfProcessing(
  context: CleanUpContext,
  conversation: ConversationToDelete,
  view: DrivenConversation,
): Promise<void> {
  const call = dialects[conversation.interface].cancel(conversation.id, view.lastQuestionId);
  if (view.state === "processing" && call !== undefined) {
    await callWithRetries(context, conversation, call);
  }
}

const foreignReason = "its questions do not have the mark of the run, so it was not touched";

/** Reads a conversation and deletes it if it has the mark of its run. Returns a clause if it still exists, or may still exist. */
async function deleteIfMarked(
  context: CleanUpContext,
  conversation: ConversationToDelete,
): Promise<string | undefined> {
  const dialect = dialects[conversation.interface];
  const reading = await callWithRetries(context, conversation, dialect.get(conversation.id));
  if (reading?.status === 404) {
    return undefined;
  }
  if (reading?.kind !== "success") {
    return describeFailure(context, "reading it", reading);
  }
  const view = dialect.read(reading.json);
  if (!isMarked(view, conversation.marker)) {
    return foreignReason;
  }
  await cancelIfProcessing(context, conversation, view);
  const answer = await callWithRetries(context, conversation, dialect.delete(conversation.id));
  if (answer === undefined || !isGone(answer)) {
    return describeFailure(context, "deleting it", answer);
  }
  if (!(await stillExists(context, conversation))) {
    return undefined;
  }
  return answer.kind === "success"
    ? "its deletion was accepted, but it still exists"
    : `its deletion returned status ${answer.status}, and it still exists`;
}

/**
 * Reports whether a conversation is shown for longer than allowed after its deletion. After one such wait, later conversations of the
 * clean-up are read only once.
 */
async function stillExists(context: CleanUpContext, conversation: ConversationToDelete): Promise<boolean> {
  const { caller, options } = context;
  const dialect = dialects[conversation.interface];
  const startMs = options.clock.nowMicros() / 1000;
  for (;;) {
    const answer = await callWithRetries(context, conversation, dialect.get(conversation.id));
    if (answer?.kind !== "success" || !isMarked(dialect.read(answer.json), conversation.marker)) {
      return false;
    }
    if (context.hasWaited || options.clock.nowMicros() / 1000 - startMs >= lastReadDelayMs) {
      context.hasWaited = true;
      return true;
    }
    await caller.pause(readIntervalMs);
  }
}

const reasonWithoutCredential = ({ options }: CleanUpContext, credential: CredentialKind): string | undefined =>
  options.credentials.has(credential) ? undefined : `no ${credential} is set, and only its user may delete it`;

async function deleteConversation(context: CleanUpContext, conversation: ConversationToDelete): Promise<void> {
  const reason =
    reasonWithoutCredential(context, conversation.credential) ?? (await deleteIfMarked(context, conversation));
  if (reason === undefined) {
    context.deletedNames.push(describeConversation(conversation));
    await (conversation.key === undefined ? undefined : context.options.ledger?.recordDeleted(conversation.key));
  } else {
    context.leftovers.push({
      label: describeConversation(conversation),
      reason,
      ...(reason === foreignReason ? { isForeign: true } : {}),
    });
  }
}

/** Creations of one run, interface and user whose answers had no id. */
type UnansweredCreations = readonly [LedgerEntry, ...LedgerEntry[]];

function groupUnanswered(entries: readonly LedgerEntry[]): readonly UnansweredCreations[] {
  const groups = new Map<string, [LedgerEntry, ...LedgerEntry[]]>();
  for (const entry of entries.filter(({ id, state }) => id === undefined && state === "open")) {
    const key = `${entry.marker} ${entry.interface} ${entry.credential}`;
    const group = groups.get(key);
    if (group === undefined) {
      groups.set(key, [entry]);
    } else {
      group.push(entry);
    }
  }
  return [...groups.values()];
}

/** A target may still be processing the last creations of a run. */
const searchDelaysMs = [300, 1000];

async function findUnanswered(
  context: CleanUpContext,
  [first, ...others]: UnansweredCreations,
): Promise<MarkedConversations | undefined> {
  const { caller, options } = context;
  const credential = selectDeletingCredential(first, options.mainCredential);
  const session = `${first.interface}-cleanup-${credential}`;
  const origin = { probe: createConversationProbe("cleanup", first.interface), credential, session };
  const knownIds = new Set(options.entries.flatMap(({ id }) => id ?? []));
  const request = {
    origin,
    dialect: dialects[first.interface],
    marker: first.marker,
    createdAfter: first.at,
    knownIds,
  };
  let result = await findMarkedConversations(caller, request);
  for (const delayMs of searchDelaysMs) {
    if (result !== undefined && result.ids.length <= others.length) {
      await caller.pause(delayMs);
      result = await findMarkedConversations(caller, request);
    }
  }
  return result;
}

/** Finds and deletes conversations of creations whose answers had no id. */
async function deleteUnanswered(context: CleanUpContext, creations: UnansweredCreations): Promise<void> {
  const [first] = creations;
  const { interface: name, marker } = first;
  const credential = selectDeletingCredential(first, context.options.mainCredential);
  const label = `anything created without an answer (${name}, run ${marker})`;
  const missingCredentialReason = reasonWithoutCredential(context, credential);
  const result = missingCredentialReason === undefined ? await findUnanswered(context, creations) : undefined;
  if (result === undefined) {
    context.leftovers.push({ label, reason: missingCredentialReason ?? findListingReason(context) });
    return;
  }
  const leftoverCount = context.leftovers.length;
  for (const id of result.ids) {
    await deleteConversation(context, { id, interface: name, marker, credential });
  }
  if (result.incompleteReason !== undefined && result.ids.length < creations.length) {
    context.leftovers.push({ label, reason: result.incompleteReason });
  } else if (context.leftovers.length === leftoverCount) {
    for (const { key } of creations) {
      await context.options.ledger?.recordDeleted(key);
    }
  }
}

/**
 * Deletes the conversations that ledgers record as open. For creations without an answer it searches the user's lists. Nothing is
 * deleted or cancelled unless it was read and has a question with the mark of its run. 404 counts as deleted. Ends at its deadline.
 * Fails only if a call cannot be sent or recorded.
 */
export async function cleanUp(options: CleanUpOptions): Promise<CleanUpResult> {
  const { entries, clock, deadlineMs = 20_000, mainCredential } = options;
  const endMicros = clock.nowMicros() + deadlineMs * 1000;
  const caller = createCaller({ ...options, remainingMs: () => (endMicros - clock.nowMicros()) / 1000 });
  const context: CleanUpContext = { options, caller, deletedNames: [], leftovers: [], hasWaited: false };
  for (const entry of entries) {
    if (entry.state === "open" && entry.id !== undefined) {
      const { id, key, marker, interface: name } = entry;
      await deleteConversation(context, {
        id,
        key,
        marker,
        interface: name,
        credential: selectDeletingCredential(entry, mainCredential),
      });
    }
  }
  for (const creations of groupUnanswered(entries)) {
    await deleteUnanswered(context, creations);
  }
  return { deletedNames: context.deletedNames, leftovers: context.leftovers };
}

import { visibleText } from "@assay/evidence";
import type { CredentialKind } from "@assay/evidence";
import type { Answer } from "./answer.ts";
import { createCaller } from "./caller.ts";
import type { Caller, CallerOptions } from "./caller.ts";
import { conversationProbe } from "./conversation-probe.ts";
import type { DrivenConversation } from "./driven-conversation.ts";
import type { PlainCall } from "./dialect.ts";
import { dialects } from "./dialects.ts";
import { findMarked } from "./find-marked.ts";
import type { FoundConversations } from "./find-marked.ts";
import type { Ledger, LedgerEntry } from "./ledger.ts";
import { isGone, lastLookMs, lookAgainMs } from "./remove-threads.ts";
import { isMarked } from "./thread.ts";

export interface CleanUpOptions extends Omit<CallerOptions, "leftMs"> {
  /** Of any number of runs, as `readLedger` or a ledger gives them. */
  readonly entries: readonly LedgerEntry[];
  /** What can be sent, the main one included: what others created is left. */
  readonly credentials: ReadonlySet<CredentialKind>;
  /** Told of each deletion [nobody]. */
  readonly ledger?: Pick<Ledger, "deleted">;
  /** For everything together [20,000]. */
  readonly deadlineMs?: number;
}

/** Something that may still be there. */
export interface LeftBehind {
  /** Interface and id, to be shown. */
  readonly what: string;
  /** A clause. */
  readonly why: string;
  /** Whether it was seen, does not carry the mark of the run and is therefore somebody else's. */
  readonly isForeign?: true;
}

export interface CleanUpEnd {
  /** Each with its interface, to be shown. */
  readonly deleted: readonly string[];
  readonly left: readonly LeftBehind[];
}

interface Cleaning {
  readonly options: CleanUpOptions;
  readonly caller: Caller;
  readonly deleted: string[];
  readonly left: LeftBehind[];
  /** Whether a deletion without effect was waited for. */
  hasWaited: boolean;
}

/** A conversation that is to be deleted if it carries the mark of its run. */
interface Leftover extends Pick<LedgerEntry, "interface" | "marker"> {
  readonly id: string;
  readonly credential: CredentialKind;
  readonly key?: string;
}

/** Credentials of the main user that may not delete, and of nobody, for whom something was created all the same. */
const ofMainUser: ReadonlySet<CredentialKind> = new Set([
  "read-token",
  "write-token",
  "unscoped-token",
  "other-scheme",
  "invalid-token",
  "invalid-oauth-token",
  "none",
]);

/** Who may delete what was created with a credential, as far as that is known. */
const deleterOf = ({ credential }: Pick<LedgerEntry, "credential">, main: CredentialKind): CredentialKind =>
  ofMainUser.has(credential) ? main : credential;

const maxTries = 3;

/** Sends a call; again, after the wait that the target asks for, while it is in distress or out of reach. */
async function insist({ caller }: Cleaning, leftover: Leftover, call: PlainCall): Promise<Answer | undefined> {
  const session = `${leftover.interface}-cleanup-${leftover.credential}`;
  const asker = { probe: conversationProbe("cleanup", leftover.interface), credential: leftover.credential, session };
  let answer: Answer | undefined;
  for (let tries = 0; tries < maxTries; tries += 1) {
    answer = await caller.call(asker, call);
    if (answer === undefined || (answer.kind !== "distress" && answer.kind !== "broken")) {
      return answer;
    }
    await caller.pause(tries * 200);
  }
  return answer;
}

const whatOf = ({ interface: name, id }: Leftover): string => `${name} conversation ${visibleText(id, 100)}`;

function whyStopped({ caller: { stop } }: Cleaning): string | undefined {
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

const whyNotListed = (cleaning: Cleaning): string =>
  whyStopped(cleaning) ?? "the conversations of the user could not be listed";

function whyOf(cleaning: Cleaning, doing: string, answer: Answer | undefined): string {
  if (answer === undefined) {
    return whyStopped(cleaning) ?? "cleaning up was stopped";
  }
  return answer.status === 0 ? `${doing} was not answered` : `${doing} was answered with status ${answer.status}`;
}

/** What is still processing is cancelled before it is deleted, so that it does not go on using up credits. */
async function cancelIfProcessing(cleaning: Cleaning, leftover: Leftover, view: DrivenConversation): Promise<void> {
  const call = dialects[leftover.interface].cancel(leftover.id, view.lastQuestion);
  if (view.state === "processing" && call !== undefined) {
    await insist(cleaning, leftover, call);
  }
}

const foreign = "its questions do not carry the mark of the run, so it was not touched";

/** Deletes a conversation whose question is seen to carry the mark of its run; why it is still there, a clause, if it is. */
async function removeLeftover(cleaning: Cleaning, leftover: Leftover): Promise<string | undefined> {
  const dialect = dialects[leftover.interface];
  const read = await insist(cleaning, leftover, dialect.get(leftover.id));
  if (read?.status === 404) {
    return undefined;
  }
  if (read?.kind !== "success") {
    return whyOf(cleaning, "looking at it", read);
  }
  const view = dialect.read(read.json);
  if (!isMarked(view, leftover.marker)) {
    return foreign;
  }
  await cancelIfProcessing(cleaning, leftover, view);
  const answer = await insist(cleaning, leftover, dialect.delete(leftover.id));
  if (answer === undefined || !isGone(answer)) {
    return whyOf(cleaning, "deleting it", answer);
  }
  if (!(await isStillThere(cleaning, leftover))) {
    return undefined;
  }
  return answer.kind === "success"
    ? "its deletion was accepted, and it is still there"
    : `its deletion was answered with status ${answer.status}, and it is still there`;
}

/** Whether what was deleted is still shown after it may have been shown; that is waited for once, not for each. */
async function isStillThere(cleaning: Cleaning, leftover: Leftover): Promise<boolean> {
  const { caller, options } = cleaning;
  const dialect = dialects[leftover.interface];
  const sinceMs = options.clock.nowMicros() / 1000;
  for (;;) {
    const read = await insist(cleaning, leftover, dialect.get(leftover.id));
    if (read?.kind !== "success" || !isMarked(dialect.read(read.json), leftover.marker)) {
      return false;
    }
    if (cleaning.hasWaited || options.clock.nowMicros() / 1000 - sinceMs >= lastLookMs) {
      cleaning.hasWaited = true;
      return true;
    }
    await caller.pause(lookAgainMs);
  }
}

const whyNoCredential = ({ options }: Cleaning, credential: CredentialKind): string | undefined =>
  options.credentials.has(credential) ? undefined : `no ${credential} was given, and only its user may delete it`;

async function settle(cleaning: Cleaning, leftover: Leftover): Promise<void> {
  const why = whyNoCredential(cleaning, leftover.credential) ?? (await removeLeftover(cleaning, leftover));
  if (why === undefined) {
    cleaning.deleted.push(whatOf(leftover));
    await (leftover.key === undefined ? undefined : cleaning.options.ledger?.deleted(leftover.key));
  } else {
    cleaning.left.push({ what: whatOf(leftover), why, ...(why === foreign ? { isForeign: true } : {}) });
  }
}

/** Creations of one run, interface and user whose answers did not tell what was created. */
type Unanswered = readonly [LedgerEntry, ...LedgerEntry[]];

function unansweredOf(entries: readonly LedgerEntry[]): readonly Unanswered[] {
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

/** A target that was just left may still be creating what it was asked for. */
const looksAgainAfterMs = [300, 1000];

async function search(cleaning: Cleaning, [first, ...others]: Unanswered): Promise<FoundConversations | undefined> {
  const { caller, options } = cleaning;
  const credential = deleterOf(first, options.mainCredential);
  const session = `${first.interface}-cleanup-${credential}`;
  const asker = { probe: conversationProbe("cleanup", first.interface), credential, session };
  const known = new Set(options.entries.flatMap(({ id }) => id ?? []));
  const request = { asker, dialect: dialects[first.interface], marker: first.marker, since: first.at, known };
  let found = await findMarked(caller, request);
  for (const ms of looksAgainAfterMs) {
    if (found !== undefined && found.ids.length <= others.length) {
      await caller.pause(ms);
      found = await findMarked(caller, request);
    }
  }
  return found;
}

/** Finds and deletes what unanswered creations may have made. */
async function settleUnanswered(cleaning: Cleaning, unanswered: Unanswered): Promise<void> {
  const [first] = unanswered;
  const { interface: name, marker } = first;
  const credential = deleterOf(first, cleaning.options.mainCredential);
  const what = `what a creation without an answer (${name}, run ${marker}) may have made`;
  const noCredential = whyNoCredential(cleaning, credential);
  const found = noCredential === undefined ? await search(cleaning, unanswered) : undefined;
  if (found === undefined) {
    cleaning.left.push({ what, why: noCredential ?? whyNotListed(cleaning) });
    return;
  }
  const leftBefore = cleaning.left.length;
  for (const id of found.ids) {
    await settle(cleaning, { id, interface: name, marker, credential });
  }
  if (found.why !== undefined && found.ids.length < unanswered.length) {
    cleaning.left.push({ what, why: found.why });
  } else if (cleaning.left.length === leftBefore) {
    for (const { key } of unanswered) {
      await cleaning.options.ledger?.deleted(key);
    }
  }
}

/**
 * Deletes what ledgers tell to be still there, and what creations without an answer may have made: those are looked for in the
 * own lists. Nothing is deleted or cancelled unless a look at it shows a question with the mark of the run that created it.
 * 404 counts as gone. Takes no longer than its deadline. Fails only when a call cannot be sent or recorded.
 */
export async function cleanUp(options: CleanUpOptions): Promise<CleanUpEnd> {
  const { entries, clock, deadlineMs = 20_000, mainCredential } = options;
  const endMicros = clock.nowMicros() + deadlineMs * 1000;
  const caller = createCaller({ ...options, leftMs: () => (endMicros - clock.nowMicros()) / 1000 });
  const cleaning: Cleaning = { options, caller, deleted: [], left: [], hasWaited: false };
  for (const entry of entries) {
    if (entry.state === "open" && entry.id !== undefined) {
      const { id, key, marker, interface: name } = entry;
      await settle(cleaning, { id, key, marker, interface: name, credential: deleterOf(entry, mainCredential) });
    }
  }
  for (const unanswered of unansweredOf(entries)) {
    await settleUnanswered(cleaning, unanswered);
  }
  return { deleted: cleaning.deleted, left: cleaning.left };
}

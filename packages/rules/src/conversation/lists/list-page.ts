import type { ConversationCall, ConversationInterface } from "../engine/conversation-call.ts";
import type { ConversationEvidence } from "../engine/conversation-evidence.ts";
import { listView } from "../engine/list-view.ts";
import type { ListView } from "@assay/reading";
import { livedThrough, ownConversations, spanOf } from "../engine/own-conversations.ts";
import type { OwnConversation } from "../engine/own-conversations.ts";
import { userOf } from "../engine/users.ts";

/** An answered list whose form was recognised. */
export interface ListPage {
  readonly call: ConversationCall;
  readonly view: ListView;
  readonly user: string;
  /** Ids of the entries that show one, in order. */
  readonly ids: readonly string[];
}

const pages = new WeakMap<ConversationCall, ListPage | "none">();

/** The list that a call was answered with, or nothing; read once. */
export function listPage(call: ConversationCall): ListPage | undefined {
  const page = pages.get(call) ?? readPage(call) ?? "none";
  pages.set(call, page);
  return page === "none" ? undefined : page;
}

function readPage(call: ConversationCall): ListPage | undefined {
  const view = listView(call);
  return view === undefined
    ? undefined
    : { call, view, user: userOf(call.record.credential), ids: view.entries.flatMap(({ id }) => id ?? []) };
}

/** All calls for a list of one interface, in the order of sending. */
export const listCalls = ({ calls }: ConversationEvidence, name: ConversationInterface): readonly ConversationCall[] =>
  calls.filter((call) => call.interface === name && call.operation === "list");

/** All lists of one interface that were recognised, in the order of sending. */
export const listPages = (evidence: ConversationEvidence, name: ConversationInterface): readonly ListPage[] =>
  listCalls(evidence, name).flatMap((call) => listPage(call) ?? []);

/** Name of the parameter that asks for the size of a page, and of the one that asks for a page. */
export const pageParameters = {
  legacy: { size: "page_first", cursor: "page_after" },
  current: { size: "pageSize", cursor: "pageToken" },
} as const;

/** How many entries were asked for at most; undefined where that was not said. */
export function pageSize({ interface: name, asked }: ConversationCall): number | undefined {
  const size = asked.parameters.get(pageParameters[name].size) ?? "";
  return /^[1-9]\d{0,8}$/.test(size) ? Number(size) : undefined;
}

/** A service may bound the size of a page by one of its own; it is taken to allow this many at least. */
const allowedSize = 10;

/** Whether a page is certainly the whole list: no page before it, none after, and fewer entries than fit in any page. */
export function isWhole({ call, view }: ListPage): boolean {
  const isFirst = !call.asked.parameters.has(pageParameters[call.interface].cursor);
  const fits = Math.min(pageSize(call) ?? allowedSize, allowedSize);
  return isFirst && view.cursor === undefined && view.entries.length < fits && view.entries.length === entryIds(view);
}

const entryIds = ({ entries }: ListView): number => entries.filter(({ id }) => id !== undefined).length;

/** Whether a legacy list asks for some conversations only. */
export const isFiltered = ({ asked }: ConversationCall): boolean =>
  [...asked.parameters.keys()].some((name) => name.startsWith("filter"));

const listedIds = new WeakMap<ConversationEvidence, Map<string, ReadonlySet<string>>>();

/** Ids that one interface listed for a user at any time, without those of conversations it created; computed once. */
function othersListed(evidence: ConversationEvidence, name: ConversationInterface, user: string): ReadonlySet<string> {
  const ofEvidence = listedIds.get(evidence) ?? new Map<string, ReadonlySet<string>>();
  listedIds.set(evidence, ofEvidence);
  const key = `${name} ${user}`;
  const created = new Set(createdBy(evidence, name, user).map(({ conversation }) => conversation));
  const ids =
    ofEvidence.get(key) ??
    new Set(
      listPages(evidence, name)
        .filter((page) => page.user === user)
        .flatMap((page) => page.ids.filter((id) => !created.has(id))),
    );
  ofEvidence.set(key, ids);
  return ids;
}

const createdBy = (
  evidence: ConversationEvidence,
  name: ConversationInterface,
  user: string,
): readonly OwnConversation[] =>
  ownConversations(evidence).filter((own) => own.user === user && own.interface === name);

/**
 * Ids of conversations that a user is known to see while a call is under way: those it created and did not delete, and
 * those that any answer lists for it. What others do to these is not known.
 */
export function knownIds(evidence: ConversationEvidence, call: ConversationCall): ReadonlySet<string> {
  const user = userOf(call.record.credential);
  const alive = createdBy(evidence, call.interface, user).filter((own) => livedThrough(own, spanOf(call)));
  return new Set([...alive.map(({ conversation }) => conversation), ...othersListed(evidence, call.interface, user)]);
}

import type { ConversationCall, ConversationInterface } from "../engine/conversation-call.ts";
import type { ConversationEvidence } from "../engine/conversation-evidence.ts";
import { listView } from "../engine/list-view.ts";
import { idMember } from "@assay/reading";
import type { ListView } from "@assay/reading";
import { existedDuring, findCreatedConversations, spanOf } from "../engine/created-conversations.ts";
import type { CreatedConversation } from "../engine/created-conversations.ts";
import { cachePerObject } from "../../engine/cache-per-object.ts";
import { userOf } from "../engine/users.ts";

/** A list response in a recognized format. */
export interface ListPage {
  readonly call: ConversationCall;
  readonly view: ListView;
  readonly user: string;
  /** Ids in list order. Entries without an id are skipped. */
  readonly ids: readonly string[];
}

/** Returns the list in the response of a call, or undefined. Cached. */
export const readListPage = cachePerObject((call: ConversationCall): ListPage | undefined => {
  const view = listView(call);
  return view && { call, view, user: userOf(call.record.credential), ids: view.entries.flatMap(({ id }) => id ?? []) };
});

/** Returns the user ids in the entries of a legacy list. */
export const collectUserIds = ({ view }: ListPage): readonly string[] =>
  view.entries.flatMap(({ json }) => idMember(json, "user_id") ?? []);

/** Returns all list calls of one interface, sorted by sending time. */
export const findListCalls = (
  { calls }: ConversationEvidence,
  interfaceName: ConversationInterface,
): readonly ConversationCall[] => calls.filter((call) => call.interface === interfaceName && call.operation === "list");

/** Returns all recognized lists of one interface, sorted by sending time. */
export const findListPages = (
  evidence: ConversationEvidence,
  interfaceName: ConversationInterface,
): readonly ListPage[] => findListCalls(evidence, interfaceName).flatMap((call) => readListPage(call) ?? []);

/** Names of the parameters for page size and cursor. */
export const pageParameters = {
  legacy: { size: "page_first", cursor: "page_after" },
  current: { size: "pageSize", cursor: "pageToken" },
} as const;

/** Returns the requested page size, or undefined. */
export function requestedPageSize({ interface: interfaceName, request }: ConversationCall): number | undefined {
  const size = request.parameters.get(pageParameters[interfaceName].size) ?? "";
  return /^[1-9]\d{0,8}$/.test(size) ? Number(size) : undefined;
}

/** Maximum page size that must be accepted. The specification has no limit, so larger pages may be refused. */
export const maxRequiredPageSize = 100;

/** A service may limit the page size, but is assumed to fit at least this many conversations on a page. */
const minPageCapacity = 10;

/**
 * Reports whether a page is certainly the complete list: there is no page before or after it, and it has fewer
 * entries than fit in any page.
 */
export function isCompleteList({ call, view }: ListPage): boolean {
  const isFirst = !call.request.parameters.has(pageParameters[call.interface].cursor);
  const capacity = Math.min(requestedPageSize(call) ?? minPageCapacity, minPageCapacity);
  return (
    isFirst &&
    view.cursor === undefined &&
    view.entries.length < capacity &&
    view.entries.length === countEntriesWithId(view)
  );
}

const countEntriesWithId = ({ entries }: ListView): number => entries.filter(({ id }) => id !== undefined).length;

/** Reports whether a legacy list has a filter parameter. */
export const isFiltered = ({ request }: ConversationCall): boolean =>
  [...request.parameters.keys()].some((name) => name.startsWith("filter"));

/** The foreign ids of an evidence by interface and user. */
const getForeignIds = cachePerObject<ConversationEvidence, Map<string, ReadonlySet<string>>>(() => new Map());

/**
 * Returns all ids that one interface listed for a user during the run, except conversations created through that
 * interface. Cached.
 */
function findListedForeignIds(
  evidence: ConversationEvidence,
  interfaceName: ConversationInterface,
  user: string,
): ReadonlySet<string> {
  const idsByKey = getForeignIds(evidence);
  const key = `${interfaceName} ${user}`;
  const ids = idsByKey.get(key) ?? collectForeignIds(evidence, interfaceName, user);
  idsByKey.set(key, ids);
  return ids;
}

function collectForeignIds(
  evidence: ConversationEvidence,
  interfaceName: ConversationInterface,
  user: string,
): ReadonlySet<string> {
  const createdIds = new Set(createdBy(evidence, interfaceName, user).map(({ id }) => id));
  return new Set(
    findListPages(evidence, interfaceName)
      .filter((page) => page.user === user)
      .flatMap((page) => page.ids.filter((id) => !createdIds.has(id))),
  );
}

const createdBy = (
  evidence: ConversationEvidence,
  interfaceName: ConversationInterface,
  user: string,
): readonly CreatedConversation[] =>
  findCreatedConversations(evidence).filter(
    (conversation) => conversation.user === user && conversation.interface === interfaceName,
  );

/**
 * Returns the ids of conversations that a user must be able to see during a call: own conversations that were not
 * deleted, and conversations that any response lists for the user. Changes by others are unknown.
 */
export function findKnownIds(evidence: ConversationEvidence, call: ConversationCall): ReadonlySet<string> {
  const user = userOf(call.record.credential);
  const existingConversations = createdBy(evidence, call.interface, user).filter((conversation) =>
    existedDuring(conversation, spanOf(call)),
  );
  return new Set([
    ...existingConversations.map(({ id }) => id),
    ...findListedForeignIds(evidence, call.interface, user),
  ]);
}

import { sortOrders } from "@assay/contract";
import { parentOfName, readList } from "@assay/reading";
import type { SortOrder } from "@assay/contract";
import type { ListView } from "@assay/reading";
import type { ConversationProbeId } from "@assay/contract";
import type { DrivenConversation } from "./driven-conversation.ts";
import { legacyDialect, createLegacyList } from "./legacy-dialect.ts";
import { type DriveContext, sendProbe, isDue } from "./drive-context.ts";
import { isMarked, readLastPart } from "./run-conversation.ts";
import type { RunConversation } from "./run-conversation.ts";

/** Maximum number of pages read in one pass over a list. */
const maxPages = 50;
/** Small, so that a handful of conversations fill several pages. */
const pageSize = 2;
/** Up to this length, a list is read again so that its last page is short. */
const maxEntriesReadAgain = 12;

/** Maximum number of duplicates recorded. Each one costs calls during clean-up. */
const maxDuplicates = 20;
/** Maximum difference between the creation times of duplicates. Some targets report only whole seconds. */
const maxDuplicateGapMs = 2000;

const noConversationReason = "the run created no conversation to look for";

/** Candidate page sizes. The first that leaves a short last page is used. */
const unevenSizes = [5, 4, 3, 2] as const;

/**
 * Reads a list page by page until it ends, repeats a cursor or reaches `maxPages`. Legacy pages are sorted by id: in any other order, a
 * conversation that changes during the read may legitimately appear twice.
 */
async function readAllPages(context: DriveContext, size: number, order: "id" | "-id" = "id"): Promise<void> {
  const { dialect } = context;
  const cursors = new Set<string>();
  let cursor: string | undefined;
  for (let page = 0; page < maxPages; page += 1) {
    const cursorOption = cursor === undefined ? {} : { cursor };
    const answer = await sendProbe(context, "list-pages", {
      call: dialect.list({ size, order, ...cursorOption }),
    });
    cursor = answer?.kind === "success" ? readList(dialect.interface, answer.json)?.cursor : undefined;
    if (cursor === undefined || cursors.has(cursor)) {
      return;
    }
    cursors.add(cursor);
  }
}

/**
 * Walks a list with page sizes that expose faulty cursors: some work only for full pages, or only in ascending order.
 * Reads the list once, or twice in the legacy interface if a page size leaves a short last page. `listedCount` is
 * infinite if the length is unknown.
 */
async function probePagination(context: DriveContext, listedCount: number): Promise<void> {
  const isShort = listedCount <= maxEntriesReadAgain;
  const shortPageSizes = isShort ? unevenSizes.filter((size) => size < listedCount && listedCount % size !== 0) : [];
  // A conversation that is missing from a last page shows only if the page has another one.
  const partialLastPageSize = shortPageSizes.find((size) => listedCount % size > 1) ?? shortPageSizes[0];
  const usualSize = listedCount <= pageSize ? 1 : pageSize;
  // The current interface has a fixed order.
  await readAllPages(context, context.dialect.interface === "legacy" ? usualSize : (partialLastPageSize ?? usualSize));
  if (context.dialect.interface === "legacy" && partialLastPageSize !== undefined) {
    await readAllPages(context, partialLastPageSize, "-id");
  }
}

type Query = Parameters<typeof createLegacyList>[0];

/** The largest 32-bit user id. No user has it. */
const unknownUser = "2147483647";
/** Looks like a read token, but was never issued. */
const unknownToken = "00000000-0000-4000-8000-000000000000";

const filterQuery = (name: string, value: string | undefined): Query | undefined =>
  value === undefined ? undefined : [[name, value]];

/** Combines a filter with a sort order. Both must take effect. */
const withSort = (order: SortOrder, query: Query | undefined): Query | undefined =>
  query === undefined ? undefined : [...query, ["sort", order]];

/**
 * Returns one query for each documented list parameter, and each filter combined with a sort order. Filters with unknown values are
 * undefined. Source: conversation-api, section 4.1.
 */
function listParameterQueries({
  conversations,
  neededProbes,
}: DriveContext): readonly (readonly [ConversationProbeId, Query | undefined])[] {
  const { id, view } = conversations.find(({ hasRunMark }) => hasRunMark) ?? {};
  const token = view?.readToken;
  const otherId = view && unknownUser;
  return [
    ["list", []],
    ["list-filter-id", filterQuery("filter_id", id)],
    ["list-filter-id", withSort("-id", filterQuery("filter_id", findPrefix(conversations)))],
    ["list-filter-id", combine(["filter_id", id && legacyDialect.unknownId], ["filter_user_id", view?.userId])],
    ["list-filter-user-id", combine(["filter_id", id], ["filter_user_id", otherId])],
    ["list-filter-user-id", withSort("id", combine(["filter_user_id", view?.userId], ["page_first", "3"]))],
    ["list-filter-user-id", filterQuery("filter_user_id", otherId)],
    [
      "list-filter-user-id",
      withSort("-created_at", combine(["filter_read_token", token], ["filter_user_id", otherId])),
    ],
    ["list-filter-read-token", filterQuery("filter_read_token", token)],
    ["list-filter-read-token", combine(["filter_id", id], ["filter_read_token", view && unknownToken])],
    [
      "list-filter-read-token",
      withSort("created_at", filterQuery("filter_read_token", token?.slice(0, Math.ceil(token.length / 2)))),
    ],
    ["list-starred", filterQuery("filter_is_starred", "true")],
    ["list-not-starred", filterQuery("filter_is_starred", "false")],
    ["list-starred", withSort("-id", filterQuery("filter_is_starred", "true"))],
    ["list-page-first", filterQuery("page_first", "1")],
    // Three entries reveal the default order.
    ["list-page-first", filterQuery("page_first", "3")],
    // Pages are read in the orders of ids, too.
    ...sortOrders
      .filter((order) => !(neededProbes.has("list-pages") && order.endsWith("id")))
      .map((order) => ["list-sort", filterQuery("sort", order)] as const),
  ];
}

/** Combines parameters. All must take effect. Undefined if one has no value. */
const combine = (...parameters: readonly (readonly [name: string, value: string | undefined])[]): Query | undefined => {
  const query = parameters.flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const]));
  return query.length === parameters.length ? query : undefined;
};

/** Returns the beginning of the longest id of the run: no id of its own, or that of another conversation. With one digit, an unknown id. */
function findPrefix(conversations: readonly RunConversation[]): string | undefined {
  const [longest] = conversations
    .flatMap(({ id, hasRunMark }) => (hasRunMark ? [id] : []))
    .toSorted((left, right) => right.length - left.length);
  return longest === undefined || longest.length > 1 ? longest?.slice(0, -1) : legacyDialect.unknownId;
}

/** Reads further pages until all of the run's conversations were listed, the list ends, or a cursor is repeated. */
async function readFurtherPages(context: DriveContext, first: ListView): Promise<void> {
  const missingIds = new Set(context.conversations.flatMap(({ id, hasRunMark }) => (hasRunMark ? [id] : [])));
  const cursors = new Set<string>();
  let page: ListView | undefined = first;
  for (let count = 0; page !== undefined && count < maxPages; count += 1) {
    page.entries.forEach(({ id }) => missingIds.delete(id ?? ""));
    const { cursor }: ListView = page;
    if (missingIds.size === 0 || cursor === undefined || cursors.has(cursor)) {
      return;
    }
    cursors.add(cursor);
    const answer = await sendProbe(context, "list", { call: context.dialect.list({ cursor }) });
    page = answer?.kind === "success" ? readList(context.dialect.interface, answer.json) : undefined;
  }
}

/**
 * Records listed conversations that contain one of the run's questions but are missing from the ledger. One request may
 * create several conversations; recording them lets clean-up delete them all. If a list shows no questions,
 * conversations created at the same time are read. Skips conversations that the run created through the other
 * interface. Their ids are in the ledger, or their questions differ.
 */
async function recordDuplicateConversations(context: DriveContext, { entries }: ListView): Promise<void> {
  const { dialect, ledger, mainCredential, marker, conversations } = context;
  const knownIds = new Set(ledger.entries().flatMap(({ id }) => (id === undefined ? [] : [readLastPart(id)])));
  const mainConversations = conversations.filter(
    ({ credential, hasRunMark }) => hasRunMark && credential === mainCredential,
  );
  const questions = new Set(mainConversations.flatMap(({ view }) => view.texts.slice(0, 1)));
  const unknownViews = entries
    .map(({ json }) => dialect.read(json))
    .filter((view) => view.id !== undefined && !knownIds.has(readLastPart(view.id)));
  const views = unknownViews.filter(({ texts }) => texts.length > 0);
  const withoutQuestions = unknownViews.filter(
    (view) =>
      view.texts.length === 0 && mainConversations.some((conversation) => mayBeDuplicates(view, conversation.view)),
  );
  for (const { id = "" } of withoutQuestions.slice(0, maxDuplicates)) {
    const answer = await sendProbe(context, "list", { call: dialect.get(id) });
    views.push(...(answer?.kind === "success" ? [dialect.read(answer.json)] : []));
  }
  const duplicates = views
    .filter((view) => isMarked(view, marker) && questions.has(view.texts[0] ?? ""))
    .flatMap(({ id }) => id ?? []);
  for (const id of [...new Set(duplicates)].slice(0, maxDuplicates)) {
    await ledger.recordCreated(
      await ledger.recordIntent({ marker, interface: dialect.interface, credential: mainCredential }),
      id,
    );
  }
}

/** Reports whether one request may have created both conversations: their creation times are close. */
const mayBeDuplicates = (first: DrivenConversation, second: DrivenConversation): boolean =>
  Math.abs(Date.parse(first.createdAt ?? "") - Date.parse(second.createdAt ?? "")) <= maxDuplicateGapMs;

/** Lists the user's conversations with every documented parameter. */
export async function probeLists(context: DriveContext): Promise<void> {
  const { dialect } = context;
  const tokenRequirement = [context.mainCredential === "none", "no token is set"] as const;
  const lists =
    dialect.interface === "legacy"
      ? listParameterQueries(context).map(([probe, query]) => [probe, query && createLegacyList(query)] as const)
      : ([["list", dialect.list()]] as const);
  let listedCount = Number.POSITIVE_INFINITY;
  for (const [probe, call] of lists) {
    if (
      isDue(context, probe, {
        missingToken: tokenRequirement,
        missingPreconditions: [[call === undefined, noConversationReason]],
      }) &&
      call !== undefined
    ) {
      const answer = await sendProbe(context, probe, { call });
      const page =
        probe === "list" && answer?.kind === "success" ? readList(dialect.interface, answer.json) : undefined;
      if (page !== undefined) {
        listedCount = page.entries.length;
        await recordDuplicateConversations(context, page);
        await readFurtherPages(context, page);
      }
    }
  }
  if (isDue(context, "list-pages", { missingToken: tokenRequirement })) {
    await probePagination(context, listedCount);
  }
}

/** Requests the first conversation as another user: through that user's list, by its read token and by its id. */
export async function probeAsOtherUser(context: DriveContext): Promise<void> {
  const { conversations, credentials, sharing, dialect } = context;
  const conversation = conversations.find(({ hasRunMark }) => hasRunMark);
  const readToken = conversation?.view.readToken;
  const otherTokenRequirement = [!credentials.has("other-token"), "no token for another user is set"] as const;
  // If `sharing` is not configured, the expected answer is unknown.
  if (
    sharing !== "undeclared" &&
    isDue(context, "shared", {
      missingToken: otherTokenRequirement,
      missingPreconditions: [[readToken === undefined, noConversationReason]],
    })
  ) {
    await sendProbe(context, "shared", {
      call: createLegacyList([["filter_read_token", readToken ?? ""]]),
      credential: "other-token",
    });
  }
  if (
    isDue(context, "other-user", {
      missingToken: otherTokenRequirement,
      missingPreconditions: [[conversation === undefined, noConversationReason]],
    }) &&
    conversation !== undefined
  ) {
    await sendProbe(context, "other-user", { call: dialect.list(), credential: "other-token" });
    const parent = parentOfName(conversation.id);
    if (parent !== undefined) {
      await sendProbe(context, "other-user", { call: dialect.list({ parent }), credential: "other-token" });
    }
    const mainUserFilter =
      dialect.interface === "legacy" ? filterQuery("filter_user_id", conversation.view.userId) : undefined;
    if (mainUserFilter !== undefined) {
      await sendProbe(context, "other-user", { call: createLegacyList(mainUserFilter), credential: "other-token" });
    }
    if (dialect.interface === "legacy") {
      const byId = createLegacyList([["filter_id", conversation.id]]);
      await sendProbe(context, "other-user", { call: byId, credential: "other-token" });
    }
    await sendProbe(context, "other-user", { call: dialect.get(conversation.id), credential: "other-token" });
  }
}

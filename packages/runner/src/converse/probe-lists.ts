import { sortOrders } from "@assay/contract";
import { readList } from "@assay/reading";
import type { SortOrder } from "@assay/contract";
import type { ListView } from "@assay/reading";
import type { ConversationProbeId } from "@assay/contract";
import type { DrivenConversation } from "./driven-conversation.ts";
import { legacyDialect, createLegacyList } from "./legacy-dialect.ts";
import { type DriveContext, ask, isDue } from "./drive-context.ts";
import { isMarked, readLastPart } from "./thread.ts";

/** Maximum number of pages read in one pass over a list. */
const maxPages = 50;
/** Small, so that a handful of conversations fill several pages. */
const pageSize = 2;
/** Up to this length, a list is read one conversation per page, which reveals later pages that are too large. */
const maxSinglePageEntries = 12;

/** Maximum number of duplicates recorded. Each needs some calls during clean-up. */
const maxDuplicates = 20;
/** Allowed difference of creation times of duplicates. Some targets report only whole seconds. */
const maxDuplicateGapMs = 2000;

const noConversation = "there is no conversation of the run to look for";

/** Page sizes to choose from, so that the last page is shorter than the others. */
const unevenSizes = [2, 3, 4, 5] as const;

/**
 * Reads a list page by page until it ends, repeats a cursor, or has had 50 pages. Legacy pages are sorted by id: in any other order,
 * conversations that change meanwhile may legitimately appear twice.
 */
async function walkPages(context: DriveContext, size: number, order: "id" | "-id" = "id"): Promise<void> {
  const { dialect } = context;
  const cursors = new Set<string>();
  let cursor: string | undefined;
  for (let page = 0; page < maxPages; page += 1) {
    const cursorOption = cursor === undefined ? {} : { cursor };
    const answer = await ask(context, "list-pages", {
      call: dialect.list({ size, order, ...cursorOption }),
    });
    cursor = answer?.kind === "success" ? readList(dialect.interface, answer.json)?.cursor : undefined;
    if (cursor === undefined || cursors.has(cursor)) {
      return;
    }
    cursors.add(cursor);
  }
}

/** Reads a list of known length in several ways. A faulty cursor may work only for full pages, or only in ascending order. */
async function walkList(context: DriveContext, listedCount: number): Promise<void> {
  const isShort = listedCount <= maxSinglePageEntries;
  const unevenSize = isShort ? unevenSizes.find((size) => size < listedCount && listedCount % size !== 0) : undefined;
  const usualSize = isShort ? 1 : pageSize;
  // The current interface has a fixed order.
  await walkPages(context, context.dialect.interface === "legacy" ? usualSize : (unevenSize ?? usualSize));
  if (context.dialect.interface === "legacy" && unevenSize !== undefined) {
    await walkPages(context, unevenSize, "-id");
  }
}

type Query = Parameters<typeof createLegacyList>[0];

/** Fits 32 bits, like user ids; belongs to no user. */
const unknownUser = "2147483647";
/** Has the form of a read token, but was never issued. */
const unknownToken = "00000000-0000-4000-8000-000000000000";

const createFilter = (name: string, value: string | undefined): Query | undefined =>
  value === undefined ? undefined : [[name, value]];

/** Combines a filter with an order. Both must take effect. */
const addOrder = (order: SortOrder, query: Query | undefined): Query | undefined =>
  query === undefined ? undefined : [...query, ["sort", order]];

/**
 * Returns lists with one documented parameter each, and each filter with an order. A filter without a known value is left out. Source:
 * conversation-api, section 4.1.
 */
function listParameterQueries({
  threads,
}: DriveContext): readonly (readonly [ConversationProbeId, Query | undefined])[] {
  const { id, view } = threads.find(({ hasRunMark }) => hasRunMark) ?? {};
  return [
    ["list", []],
    ["list-filter-id", createFilter("filter_id", id)],
    ["list-filter-id", addOrder("-id", createFilter("filter_id", id))],
    ["list-filter-id", createFilter("filter_id", id && legacyDialect.unknownId)],
    [
      "list-filter-user-id",
      id === undefined
        ? undefined
        : [
            ["filter_id", id],
            ["filter_user_id", unknownUser],
          ],
    ],
    ["list-filter-user-id", addOrder("id", createFilter("filter_user_id", view?.userId))],
    ["list-filter-user-id", createFilter("filter_user_id", view && unknownUser)],
    ["list-filter-user-id", addOrder("-created_at", createFilter("filter_user_id", view && unknownUser))],
    ["list-filter-read-token", createFilter("filter_read_token", view?.readToken)],
    ["list-filter-read-token", createFilter("filter_read_token", view && unknownToken)],
    ["list-filter-read-token", addOrder("created_at", createFilter("filter_read_token", view && unknownToken))],
    ["list-starred", createFilter("filter_is_starred", "true")],
    ["list-not-starred", createFilter("filter_is_starred", "false")],
    ["list-starred", addOrder("-id", createFilter("filter_is_starred", "true"))],
    ["list-page-first", createFilter("page_first", "1")],
    // Enough to show the default order.
    ["list-page-first", createFilter("page_first", "3")],
    ...sortOrders.map((order) => ["list-sort", createFilter("sort", order)] as const),
  ];
}

/** Reads further pages until all conversations of the run were listed, the list ends, or a cursor is repeated. */
async function readFurtherPages(context: DriveContext, first: ListView): Promise<void> {
  const missingIds = new Set(context.threads.flatMap(({ id, hasRunMark }) => (hasRunMark ? [id] : [])));
  const cursors = new Set<string>();
  let page: ListView | undefined = first;
  for (let count = 0; page !== undefined && count < maxPages; count += 1) {
    page.entries.forEach(({ id }) => missingIds.delete(id ?? ""));
    const { cursor }: ListView = page;
    if (missingIds.size === 0 || cursor === undefined || cursors.has(cursor)) {
      return;
    }
    cursors.add(cursor);
    const answer = await ask(context, "list", { call: context.dialect.list({ cursor }) });
    page = answer?.kind === "success" ? readList(context.dialect.interface, answer.json) : undefined;
  }
}

/**
 * Records listed conversations that have a question of the run but no creation in the ledger, so that they are deleted at the end: one
 * creation may create several. If a list shows no questions, conversations created at the same time are read. Conversations created
 * through the other interface are recognised by the last part of their names, or by their different questions.
 */
async function recordDuplicateConversations(context: DriveContext, { entries }: ListView): Promise<void> {
  const { dialect, ledger, mainCredential, marker, threads } = context;
  const knownIds = new Set(ledger.entries().flatMap(({ id }) => (id === undefined ? [] : [readLastPart(id)])));
  const mainThreads = threads.filter(({ credential, hasRunMark }) => hasRunMark && credential === mainCredential);
  const questions = new Set(mainThreads.flatMap(({ view }) => view.texts.slice(0, 1)));
  const unknownViews = entries
    .map(({ json }) => dialect.read(json))
    .filter((view) => view.id !== undefined && !knownIds.has(readLastPart(view.id)));
  const views = unknownViews.filter(({ texts }) => texts.length > 0);
  const withoutQuestions = unknownViews.filter(
    (view) => view.texts.length === 0 && mainThreads.some((thread) => mayBeDuplicates(view, thread.view)),
  );
  for (const { id = "" } of withoutQuestions.slice(0, maxDuplicates)) {
    const answer = await ask(context, "list", { call: dialect.get(id) });
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

/** Reports whether one creation may have created both: their creation times are close. */
const mayBeDuplicates = (first: DrivenConversation, second: DrivenConversation): boolean =>
  Math.abs(Date.parse(first.createdAt ?? "") - Date.parse(second.createdAt ?? "")) <= maxDuplicateGapMs;

/** Lists the user's conversations in every documented way. */
export async function probeLists(context: DriveContext): Promise<void> {
  const { dialect } = context;
  const noToken = [context.mainCredential === "none", "no token was given"] as const;
  const lists =
    dialect.interface === "legacy"
      ? listParameterQueries(context).map(([probe, query]) => [probe, query && createLegacyList(query)] as const)
      : ([["list", dialect.list()]] as const);
  let listedCount = Number.POSITIVE_INFINITY;
  for (const [probe, call] of lists) {
    if (
      isDue(context, probe, { missingToken: noToken, missingPreconditions: [[call === undefined, noConversation]] }) &&
      call !== undefined
    ) {
      const answer = await ask(context, probe, { call });
      const page =
        probe === "list" && answer?.kind === "success" ? readList(dialect.interface, answer.json) : undefined;
      if (page !== undefined) {
        listedCount = page.entries.length;
        await recordDuplicateConversations(context, page);
        await readFurtherPages(context, page);
      }
    }
  }
  if (isDue(context, "list-pages", { missingToken: noToken })) {
    await walkList(context, listedCount);
  }
}

/** Requests the first conversation as another user: in that user's list, in a list by its read token, and by its id. */
export async function probeAsOtherUser(context: DriveContext): Promise<void> {
  const { threads, credentials, sharing, dialect } = context;
  const thread = threads.find(({ hasRunMark }) => hasRunMark);
  const readToken = thread?.view.readToken;
  const missingOtherToken = [!credentials.has("other-token"), "no token of another user was given"] as const;
  // Without a declaration of sharing, the expected answer is unknown.
  if (
    sharing !== "undeclared" &&
    isDue(context, "shared", {
      missingToken: missingOtherToken,
      missingPreconditions: [[readToken === undefined, noConversation]],
    })
  ) {
    await ask(context, "shared", {
      call: createLegacyList([["filter_read_token", readToken ?? ""]]),
      credential: "other-token",
    });
  }
  if (
    isDue(context, "other-user", {
      missingToken: missingOtherToken,
      missingPreconditions: [[thread === undefined, noConversation]],
    }) &&
    thread !== undefined
  ) {
    await ask(context, "other-user", { call: dialect.list(), credential: "other-token" });
    const mainUserFilter =
      dialect.interface === "legacy" ? createFilter("filter_user_id", thread.view.userId) : undefined;
    if (mainUserFilter !== undefined) {
      await ask(context, "other-user", { call: createLegacyList(mainUserFilter), credential: "other-token" });
    }
    if (dialect.interface === "legacy") {
      const byId = createLegacyList([["filter_id", thread.id]]);
      await ask(context, "other-user", { call: byId, credential: "other-token" });
    }
    await ask(context, "other-user", { call: dialect.get(thread.id), credential: "other-token" });
  }
}

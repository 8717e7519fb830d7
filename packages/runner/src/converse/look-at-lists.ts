import { sortOrders } from "@assay/contract";
import { readList } from "@assay/reading";
import type { SortOrder } from "@assay/contract";
import type { ListView } from "@assay/reading";
import type { ConversationProbeId } from "@assay/contract";
import type { DrivenConversation } from "./driven-conversation.ts";
import { legacyDialect, legacyList } from "./legacy-dialect.ts";
import { type DriveContext, ask, isDue } from "./drive-context.ts";
import { isMarked, lastPart } from "./thread.ts";

/** Pages that are asked for in one walk. */
const maxPages = 50;
/** So few that a handful of conversations fill several pages. */
const pageSize = 2;
/** Where a list shows no more than this, each page of a walk holds one: a page behind the first that is too large is then seen. */
const fewConversations = 12;

/** Conversations that are noted although no creation was answered with them; each takes some calls to clean up. */
const maxTwins = 20;
/** By so much the times may differ that a target tells of what one creation made: some tell seconds alone. */
const twinsWithinMs = 2000;

const noConversation = "no conversation of the run is there to look for";

/** Sizes of pages of which one makes the last page of a list shorter than those before it. */
const unevenSizes = [2, 3, 4, 5] as const;

/**
 * Walks through a list page by page until it ends, until a cursor comes again, or for 50 pages. Legacy pages are asked for in
 * an order of ids: in any other, conversations that change meanwhile may rightly be met twice.
 */
async function walkPages(context: DriveContext, size: number, order: "id" | "-id" = "id"): Promise<void> {
  const { dialect } = context;
  const cursors = new Set<string>();
  let cursor: string | undefined;
  for (let page = 0; page < maxPages; page += 1) {
    const after = cursor === undefined ? {} : { cursor };
    const answer = await ask(context, "list-pages", {
      call: dialect.list({ size, order, ...after }),
    });
    cursor = answer?.kind === "success" ? readList(dialect.interface, answer.json)?.cursor : undefined;
    if (cursor === undefined || cursors.has(cursor)) {
      return;
    }
    cursors.add(cursor);
  }
}

/** Walks through a list that shows so many. A cursor may be good for full pages alone, or for an ascending order. */
async function walkAll(context: DriveContext, shown: number): Promise<void> {
  const isFew = shown <= fewConversations;
  const uneven = isFew ? unevenSizes.find((size) => size < shown && shown % size !== 0) : undefined;
  const usual = isFew ? 1 : pageSize;
  // The current interface has an order of its own.
  await walkPages(context, context.dialect.interface === "legacy" ? usual : (uneven ?? usual));
  if (context.dialect.interface === "legacy" && uneven !== undefined) {
    await walkPages(context, uneven, "-id");
  }
}

type Query = Parameters<typeof legacyList>[0];

/** Fits 32 bits, as an id of a user does; nobody has it. */
const unknownUser = "2147483647";
/** In the form of read tokens; nobody was given it. */
const unknownToken = "00000000-0000-4000-8000-000000000000";

const filter = (name: string, value: string | undefined): Query | undefined =>
  value === undefined ? undefined : [[name, value]];

/** A filter and an order in one list: each has to hold beside the other. */
const sorted = (order: SortOrder, query: Query | undefined): Query | undefined =>
  query === undefined ? undefined : [...query, ["sort", order]];

/** Lists with one documented parameter each, and each filter with an order besides; one whose value is not known yet has none. Source: conversation-api, section 4.1. */
function parameterLists({ threads }: DriveContext): readonly (readonly [ConversationProbeId, Query | undefined])[] {
  const { id, view } = threads.find(({ isOurs }) => isOurs) ?? {};
  return [
    ["list", []],
    ["list-filter-id", filter("filter_id", id)],
    ["list-filter-id", sorted("-id", filter("filter_id", id))],
    ["list-filter-id", filter("filter_id", id && legacyDialect.unknownId)],
    [
      "list-filter-user-id",
      id === undefined
        ? undefined
        : [
            ["filter_id", id],
            ["filter_user_id", unknownUser],
          ],
    ],
    ["list-filter-user-id", sorted("id", filter("filter_user_id", view?.userId))],
    ["list-filter-user-id", filter("filter_user_id", view && unknownUser)],
    ["list-filter-user-id", sorted("-created_at", filter("filter_user_id", view && unknownUser))],
    ["list-filter-read-token", filter("filter_read_token", view?.readToken)],
    ["list-filter-read-token", filter("filter_read_token", view && unknownToken)],
    ["list-filter-read-token", sorted("created_at", filter("filter_read_token", view && unknownToken))],
    ["list-starred", filter("filter_is_starred", "true")],
    ["list-not-starred", filter("filter_is_starred", "false")],
    ["list-starred", sorted("-id", filter("filter_is_starred", "true"))],
    ["list-page-first", filter("page_first", "1")],
    // So many that the order shows, which is the usual one.
    ["list-page-first", filter("page_first", "3")],
    ...sortOrders.map((order) => ["list-sort", filter("sort", order)] as const),
  ];
}

/** Asks for the pages behind one that lacks conversations of the run, until none lacks, none follows, or a cursor comes again. */
async function followList(context: DriveContext, first: ListView): Promise<void> {
  const missing = new Set(context.threads.flatMap(({ id, isOurs }) => (isOurs ? [id] : [])));
  const cursors = new Set<string>();
  let page: ListView | undefined = first;
  for (let count = 0; page !== undefined && count < maxPages; count += 1) {
    page.entries.forEach(({ id }) => missing.delete(id ?? ""));
    const { cursor }: ListView = page;
    if (missing.size === 0 || cursor === undefined || cursors.has(cursor)) {
      return;
    }
    cursors.add(cursor);
    const answer = await ask(context, "list", { call: context.dialect.list({ cursor }) });
    page = answer?.kind === "success" ? readList(context.dialect.interface, answer.json) : undefined;
  }
}

/**
 * Notes what a list shows with a question of the run, and no creation was answered with, so that it is deleted in the end: a
 * creation may make more than one. Where a list shows no questions, what was created at the same moment is looked at. What the
 * other interface created is known by the end of its name; where that tells nothing, it has a question of its own.
 */
async function noteTwins(context: DriveContext, { entries }: ListView): Promise<void> {
  const { dialect, ledger, mainCredential, marker, threads } = context;
  const known = new Set(ledger.entries().flatMap(({ id }) => (id === undefined ? [] : [lastPart(id)])));
  const own = threads.filter(({ credential, isOurs }) => isOurs && credential === mainCredential);
  const questions = new Set(own.flatMap(({ view }) => view.texts.slice(0, 1)));
  const others = entries
    .map(({ json }) => dialect.read(json))
    .filter((view) => view.id !== undefined && !known.has(lastPart(view.id)));
  const views = others.filter(({ texts }) => texts.length > 0);
  const silent = others.filter((view) => view.texts.length === 0 && own.some((thread) => areTwins(view, thread.view)));
  for (const { id = "" } of silent.slice(0, maxTwins)) {
    const answer = await ask(context, "list", { call: dialect.get(id) });
    views.push(...(answer?.kind === "success" ? [dialect.read(answer.json)] : []));
  }
  const twins = views
    .filter((view) => isMarked(view, marker) && questions.has(view.texts[0] ?? ""))
    .flatMap(({ id }) => id ?? []);
  for (const id of [...new Set(twins)].slice(0, maxTwins)) {
    await ledger.made(await ledger.intend({ marker, interface: dialect.interface, credential: mainCredential }), id);
  }
}

/** Whether one creation may have made both: they were created at about the same time. */
const areTwins = (one: DrivenConversation, other: DrivenConversation): boolean =>
  Math.abs(Date.parse(one.createdAt ?? "") - Date.parse(other.createdAt ?? "")) <= twinsWithinMs;

/** Asks for the own conversations in every documented way. */
export async function lookAtLists(context: DriveContext): Promise<void> {
  const { dialect } = context;
  const noToken = [context.mainCredential === "none", "no token was given"] as const;
  const lists =
    dialect.interface === "legacy"
      ? parameterLists(context).map(([probe, query]) => [probe, query && legacyList(query)] as const)
      : ([["list", dialect.list()]] as const);
  let shown = Number.POSITIVE_INFINITY;
  for (const [probe, call] of lists) {
    if (
      isDue(context, probe, { ungiven: noToken, unless: [[call === undefined, noConversation]] }) &&
      call !== undefined
    ) {
      const answer = await ask(context, probe, { call });
      const page =
        probe === "list" && answer?.kind === "success" ? readList(dialect.interface, answer.json) : undefined;
      if (page !== undefined) {
        shown = page.entries.length;
        await noteTwins(context, page);
        await followList(context, page);
      }
    }
  }
  if (isDue(context, "list-pages", { ungiven: noToken })) {
    await walkAll(context, shown);
  }
}

/** What another user sees of the first conversation: in his list, by its read token in a list, and by its id. */
export async function lookAsOther(context: DriveContext): Promise<void> {
  const { threads, credentials, sharing, dialect } = context;
  const thread = threads.find(({ isOurs }) => isOurs);
  const readToken = thread?.view.readToken;
  const noOther = [!credentials.has("other-token"), "no token of another user was given"] as const;
  // What must be seen is not known where nobody declared it.
  if (
    sharing !== "undeclared" &&
    isDue(context, "shared", {
      ungiven: noOther,
      unless: [[readToken === undefined, noConversation]],
    })
  ) {
    await ask(context, "shared", {
      call: legacyList([["filter_read_token", readToken ?? ""]]),
      credential: "other-token",
    });
  }
  if (
    isDue(context, "other-user", {
      ungiven: noOther,
      unless: [[thread === undefined, noConversation]],
    }) &&
    thread !== undefined
  ) {
    await ask(context, "other-user", { call: dialect.list(), credential: "other-token" });
    const ofMain = dialect.interface === "legacy" ? filter("filter_user_id", thread.view.userId) : undefined;
    if (ofMain !== undefined) {
      await ask(context, "other-user", { call: legacyList(ofMain), credential: "other-token" });
    }
    if (dialect.interface === "legacy") {
      const byId = legacyList([["filter_id", thread.id]]);
      await ask(context, "other-user", { call: byId, credential: "other-token" });
    }
    await ask(context, "other-user", { call: dialect.get(thread.id), credential: "other-token" });
  }
}

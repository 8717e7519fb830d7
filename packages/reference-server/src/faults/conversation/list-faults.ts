import { listParameters, sortOrders } from "@assay/contract";
import { userIds } from "../../access.ts";
import type { ListedPage, ListQuery } from "../../conversation/store/list-query.ts";
import type { ConversationEffect } from "../conversation-effect.ts";
import { type Fault, oneEffectOf, oneOf, settable, violating } from "../fault.ts";
import {
  allOf,
  type CallTest,
  callsOf,
  type Change,
  listing,
  listsWith,
  ofAnother,
  ofTheUser,
  paging,
  replacing,
} from "./call-effects.ts";
import { allRefusals } from "./refusal-variants.ts";

const withoutFilter =
  (name: "id" | "readToken" | "starred" | "userId") =>
  (query: ListQuery): ListQuery => {
    const { [name]: _filter, ...rest } = query;
    return rest;
  };

const noPage = (): ListedPage => ({ conversations: [] });

/** A filter gone wrong for the user who has an access token; what others see has rules of its own. */
const brokenFilter = (parameter: string, member: "id" | "readToken") => {
  const isMeant = allOf(listsWith(parameter), ofTheUser);
  return oneEffectOf({
    ignored: listing(isMeant, withoutFilter(member)),
    "nothing-passes": paging(isMeant, noPage),
  });
};

/** Shows another user what the main one would see. */
const shownToOthers = (isMeant: CallTest): ConversationEffect =>
  listing(allOf(isMeant, ofAnother), (query) => ({ ...query, viewerId: userIds.main }));

/** Lists in the order of creation, where that of updates is meant. */
const byCreation = (isMeant: CallTest): ConversationEffect =>
  listing(isMeant, (query) => ({ ...query, sort: query.sort.startsWith("-") ? "-created_at" : "created_at" }));

const byUpdate: Change<ListQuery> = (query) => ({ ...query, sort: "-updated_at" });

/** Turns the conversations of a page around. */
const reversed = (isMeant: CallTest): ConversationEffect =>
  paging(isMeant, (page) =>
    page.conversations.length > 1 ? { ...page, conversations: page.conversations.toReversed() } : page,
  );

const isDefaultSort: CallTest = ({ parameters }) => !parameters.has("sort");

const starLists = listsWith("filter_is_starred");

/** Faults in the filters, the order and the size of legacy lists, and in whose conversations they show. */
export const listFaults: readonly Fault[] = [
  violating("legacy/list-parameters-are-accepted", "legacy-list-refused")(
    "Lists with a documented parameter, or those without any, are refused.",
    settable(
      { parameter: { title: "which parameter", default: "sort", choices: [...listParameters, "none"] } },
      ({ parameter }) => {
        const isMeant: CallTest = ({ parameters }) =>
          parameter === "none" ? parameters.size === 0 : parameters.has(parameter);
        return oneOf(allRefusals, (refuse) =>
          replacing(allOf(listsWith(), ofTheUser, isMeant), (_answer, { call }) => refuse(call)),
        );
      },
    ),
  ),
  violating("legacy/filter-id-filters", "legacy-filter-id-broken")(
    "A list with `filter_id` has all conversations, or none.",
    brokenFilter("filter_id", "id"),
  ),
  violating("legacy/filter-read-token-filters", "legacy-filter-read-token-broken")(
    "A list with `filter_read_token` has all conversations, or none.",
    brokenFilter("filter_read_token", "readToken"),
  ),
  violating("legacy/filter-id-filters", "legacy-sorted-filter-ignored")(
    "Lists in an order have every conversation, whatever `filter_id` is.",
    listing(listsWith("sort", "filter_id"), withoutFilter("id")),
  ),
  violating("legacy/filter-user-id-filters", "legacy-filter-user-id-ignored")(
    "A list with `filter_user_id` has the conversations of who asks, whatever user is meant.",
    listing(listsWith("filter_user_id"), withoutFilter("userId")),
  ),
  violating("legacy/filter-read-token-filters", "legacy-any-read-token")(
    "A list by a read token that nobody was given has a conversation.",
    listing(listsWith("filter_read_token"), (query) =>
      query.readToken?.startsWith("00000000-") === true ? { ...withoutFilter("readToken")(query), pageSize: 1 } : query,
    ),
  ),
  violating("legacy/filter-is-starred-filters", "legacy-filter-is-starred-ignored")(
    "A list with `filter_is_starred` has all conversations, with a star or without.",
    listing(starLists, withoutFilter("starred")),
  ),
  violating("legacy/filter-is-starred-filters", "legacy-filter-is-starred-finds-nothing")(
    "A list of what is not starred is the list of what is.",
    listing(starLists, (query) => ({ ...query, starred: true })),
  ),
  violating("legacy/filter-is-starred-filters", "legacy-not-starred-ignored")(
    "The conversation that was changed last is starred; a list of what is not starred has all conversations.",
    {
      ...listing(starLists, withoutFilter("starred")),
      ...paging(
        allOf(starLists, ({ parameters }) => parameters.get("filter_is_starred") === "true"),
        ({ conversations }) => ({ conversations: conversations.slice(0, 1) }),
      ),
    },
  ),
  violating("legacy/list-shows-own-only", "legacy-list-shows-others")(
    "Lists without a filter show another user the conversations of the main one.",
    shownToOthers(
      allOf(listsWith(), ({ parameters }) => ![...parameters.keys()].some((name) => name.startsWith("filter"))),
    ),
  ),
  violating("legacy/list-shows-own-only", "legacy-filter-user-id-opens")(
    "Lists with `filter_user_id` show another user the conversations of the main one.",
    shownToOthers(listsWith("filter_user_id")),
  ),
  violating("legacy/list-shows-own-only", "legacy-filter-id-opens")(
    "Lists with `filter_id` show another user the conversation of the main one.",
    shownToOthers(listsWith("filter_id")),
  ),
  violating("current/self-stands-for-the-user", "current-self-is-the-main-user")(
    "Lists of `users/~self` have the conversations of the main user, whoever asks.",
    shownToOthers(callsOf("current", "list")),
  ),
  violating("legacy/page-first-bounds", "legacy-page-first-exceeded")(
    "Pages have one conversation more than `page_first` says, or as many as fit.",
    oneOf({ ignored: () => 200, "one-more": (size: number) => size + 1 }, (sizeOf) =>
      listing(listsWith("page_first"), (query) => ({ ...query, pageSize: sizeOf(query.pageSize) })),
    ),
  ),
  violating("legacy/page-first-bounds", "legacy-page-first-one-empty")(
    "A first page of one conversation has none, and leads nowhere.",
    paging(
      allOf(listsWith(), ({ parameters }) => parameters.get("page_first") === "1"),
      noPage,
    ),
  ),
  violating("legacy/sort-is-kept", "legacy-sort-reversed")(
    "Lists with one value of `sort` come the other way round.",
    settable({ sort: { title: "which value", default: sortOrders[0], choices: sortOrders } }, ({ sort }) =>
      reversed(allOf(listsWith("sort"), ({ parameters }) => parameters.get("sort") === sort)),
    ),
  ),
  violating("legacy/sort-is-kept", "legacy-sort-by-creation")(
    "Lists that are to be in the order of updates are in that of creations.",
    byCreation(allOf(listsWith("sort"), ({ parameters }) => String(parameters.get("sort")).endsWith("updated_at"))),
  ),
  violating("legacy/sort-is-kept", "legacy-filtered-sort-ignored")(
    "Lists with a filter are in the order of updates, whatever order is asked for.",
    listing(listsWith("filter_user_id", "sort"), byUpdate),
  ),
  violating("legacy/sort-is-kept", "legacy-paged-sort-ignored")(
    "Lists of a number of conversations a page are in the order of updates, whatever order is asked for.",
    listing(listsWith("page_first", "sort"), byUpdate),
  ),
  violating("legacy/default-sort-is-newest-update-first", "legacy-default-sort-reversed")(
    "Lists without `sort` come the other way round.",
    reversed(allOf(listsWith(), isDefaultSort)),
  ),
  violating("legacy/default-sort-is-newest-update-first", "legacy-default-sort-by-creation")(
    "Lists without `sort` are in the order of creations.",
    byCreation(allOf(listsWith(), isDefaultSort)),
  ),
];

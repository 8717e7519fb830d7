import { defined, listParameters, type SortOrder, sortOrders } from "@assay/contract";
import { userIds } from "../../service/access.ts";
import { textAnswer } from "../../service/conversation/api/api-answer.ts";
import type { ConversationRecord } from "../../service/conversation/conversation-record.ts";
import type { ListedPage, ListQuery, PagePosition } from "../../service/conversation/store/list-query.ts";
import type { ConversationEffect } from "../conversation-effect.ts";
import { type Fault, selectEffect, selectVariant, withSettings, type Variants, defineViolation } from "../fault.ts";
import {
  passesAll,
  allRefusals,
  selectCalls,
  type CallTest,
  type Change,
  type InterfaceName,
  interfaces,
  changeListQuery,
  listsWhere,
  listsWith,
  byOtherUser,
  byMainUser,
  changePage,
  plainLists,
  replaceAnswer,
} from "./call-effects.ts";

/** Changes to the query of a list and to the resulting page. */
interface PagingEdit {
  readonly list?: (query: ListQuery) => ListQuery;
  readonly page: (page: ListedPage, query: ListQuery) => ListedPage;
}

const toPosition = ({ createdAtMs, id, updatedAtMs }: ConversationRecord, sort: SortOrder): PagePosition => {
  const name = sort.replace("-", "");
  return { id, value: name === "id" ? id : name === "created_at" ? createdAtMs : updatedAtMs };
};

const createPositionKey = ({ id, value }: PagePosition): string => `${value} ${id}`;

/** Starts each page with the last conversation of the previous page. */
const createRepeatingPages = (): PagingEdit => {
  // The position before the last conversation of each page: the preceding conversation, the previous page, or the start.
  const positionsBefore = new Map<string, PagePosition | undefined>();
  return {
    list: (query) => {
      const { after, ...fromTheStart } = query;
      const key = after === undefined ? "" : createPositionKey(after);
      return positionsBefore.has(key) ? { ...fromTheStart, ...defined({ after: positionsBefore.get(key) }) } : query;
    },
    page: (page, { after, sort }) => {
      const [secondLast] = page.conversations.slice(-2, -1);
      if (page.next !== undefined && !positionsBefore.has(createPositionKey(page.next))) {
        positionsBefore.set(
          createPositionKey(page.next),
          secondLast === undefined ? after : toPosition(secondLast, sort),
        );
      }
      return page;
    },
  };
};

/** Ways to break paging. The first page is always correct. */
const brokenPages: Variants<() => PagingEdit> = {
  repeats: createRepeatingPages,
  "leaves-out": () => ({ page: (page, { after }) => (after === undefined ? page : { conversations: [] }) }),
  "loses-a-short-one": () => ({
    page: (page, { after, pageSize }) =>
      after !== undefined && page.conversations.length < pageSize ? { conversations: [] } : page,
  }),
  "leaves-out-downwards": () => ({
    page: (page, { after, sort }) => (after !== undefined && sort.startsWith("-") ? { conversations: [] } : page),
  }),
  "leads-back": () => ({ page: (page, { after }) => (after === undefined ? page : { ...page, next: after }) }),
};

/** Applies a paging fault. Query and page belong to the same call, because no other call runs between them. */
const applyPaging = (isSelected: CallTest, { list, page }: PagingEdit): ConversationEffect => {
  let lastQuery: ListQuery | undefined;
  return {
    ...changeListQuery(isSelected, (query) => {
      lastQuery = query;
      return list?.(query) ?? query;
    }),
    ...changePage(isSelected, (originalPage) =>
      lastQuery === undefined ? originalPage : page(originalPage, lastQuery),
    ),
  };
};

const createPagingFault = (name: InterfaceName): Fault =>
  defineViolation(`${name}/pages-do-not-overlap`, `${name}-paging-broken`)(
    "Pages after the first repeat a conversation, are empty (always, if they are not full, or in descending order), or link back to themselves.",
    selectVariant(brokenPages, (createEdit) => applyPaging(selectCalls(name), createEdit())),
  );

const withoutFilter =
  (name: "id" | "readToken" | "starred" | "userId") =>
  (query: ListQuery): ListQuery => {
    const { [name]: _filter, ...rest } = query;
    return rest;
  };

const hasUnknownId = (parameters: URLSearchParams): boolean => Number(parameters.get("filter_id")) > 1_000_000;

const noPage = (): ListedPage => ({ conversations: [] });

/** Breaks a filter for the main user. Filters for other users have separate rules. */
const breakFilter = (parameter: string, member: "id" | "readToken") => {
  const isSelected = passesAll(listsWith(parameter), byMainUser);
  return selectEffect({
    ignored: changeListQuery(isSelected, withoutFilter(member)),
    "nothing-passes": changePage(isSelected, noPage),
  });
};

/** Returns the lists of the main user to another user. */
const showToOthers = (isSelected: CallTest): ConversationEffect =>
  changeListQuery(passesAll(isSelected, byOtherUser), (query) => ({ ...query, viewerId: userIds.main }));

/** Sorts by creation time instead of update time. */
const sortByCreation = (isSelected: CallTest): ConversationEffect =>
  changeListQuery(isSelected, (query) => ({
    ...query,
    sort: query.sort.startsWith("-") ? "-created_at" : "created_at",
  }));

const sortByUpdate: Change<ListQuery> = (query) => ({ ...query, sort: "-updated_at" });

/** Reverses a page. */
const reversePage = (isSelected: CallTest): ConversationEffect =>
  changePage(isSelected, (page) =>
    page.conversations.length > 1 ? { ...page, conversations: page.conversations.toReversed() } : page,
  );

const unsortedLists = listsWhere((parameters) => !parameters.has("sort"));
const starFilterLists = listsWith("filter_is_starred");
const starredLists = listsWhere((parameters) => parameters.get("filter_is_starred") === "true");
const singleEntryPages = listsWhere((parameters) => parameters.get("page_first") === "1");

/** Faults in filters, order, paging and ownership of lists. */
export const listFaults: readonly Fault[] = [
  defineViolation("legacy/list-parameters-are-accepted", "legacy-list-refused")(
    "Lists with a documented parameter, or those without any, are refused.",
    withSettings(
      { parameter: { title: "which parameter", default: "sort", choices: [...listParameters, "none"] } },
      ({ parameter }) => {
        const lists = parameter === "none" ? plainLists : listsWith(parameter);
        return selectVariant(allRefusals, (refuse) =>
          replaceAnswer(passesAll(lists, byMainUser), (_answer, { call }) => refuse(call)),
        );
      },
    ),
  ),
  defineViolation("legacy/list-parameters-are-accepted", "legacy-filtered-list-text")(
    "Responses to lists with `filter_id` are plain text.",
    replaceAnswer(listsWith("filter_id"), ({ status }) => textAnswer(status, "one conversation")),
  ),
  defineViolation("legacy/filter-id-filters", "legacy-filter-id-broken")(
    "Lists with `filter_id` contain all conversations, or none.",
    breakFilter("filter_id", "id"),
  ),
  defineViolation("legacy/filter-read-token-filters", "legacy-filter-read-token-broken")(
    "Lists with `filter_read_token` contain all conversations, or none.",
    breakFilter("filter_read_token", "readToken"),
  ),
  defineViolation("legacy/filter-id-filters", "legacy-unknown-filter-ignored")(
    "Lists with an unknown `filter_id` contain all conversations.",
    changeListQuery(passesAll(listsWhere(hasUnknownId), byMainUser), withoutFilter("id")),
  ),
  defineViolation("legacy/filter-user-id-filters", "legacy-filter-id-alone")(
    "Lists with `filter_id` contain that conversation regardless of `filter_user_id`.",
    changeListQuery(passesAll(listsWith("filter_id", "filter_user_id"), byMainUser), withoutFilter("userId")),
  ),
  defineViolation("legacy/filter-id-filters", "legacy-sorted-filter-ignored")(
    "Lists with `sort` contain every conversation regardless of `filter_id`.",
    changeListQuery(listsWith("sort", "filter_id"), withoutFilter("id")),
  ),
  defineViolation("legacy/filter-user-id-filters", "legacy-filter-user-id-ignored")(
    "Lists with `filter_user_id` contain the conversations of the caller regardless of the requested user.",
    changeListQuery(listsWith("filter_user_id"), withoutFilter("userId")),
  ),
  defineViolation("legacy/filter-read-token-filters", "legacy-any-read-token")(
    "Lists filtered by an unissued read token contain a conversation.",
    changeListQuery(listsWith("filter_read_token"), (query) =>
      query.readToken?.startsWith("00000000-") === true ? { ...withoutFilter("readToken")(query), pageSize: 1 } : query,
    ),
  ),
  defineViolation("legacy/filter-is-starred-filters", "legacy-filter-is-starred-ignored")(
    "Lists with `filter_is_starred` contain all conversations, starred or not.",
    changeListQuery(starFilterLists, withoutFilter("starred")),
  ),
  defineViolation("legacy/filter-is-starred-filters", "legacy-filter-is-starred-finds-nothing")(
    "Lists of unstarred conversations contain the starred ones.",
    changeListQuery(starFilterLists, (query) => ({ ...query, starred: true })),
  ),
  defineViolation("legacy/filter-is-starred-filters", "legacy-not-starred-ignored")(
    "The conversation that was changed last is starred, and lists of unstarred ones contain all conversations.",
    {
      ...changeListQuery(starFilterLists, withoutFilter("starred")),
      ...changePage(starredLists, ({ conversations }) => ({ conversations: conversations.slice(0, 1) })),
    },
  ),
  defineViolation("legacy/list-shows-own-only", "legacy-list-shows-others")(
    "Lists without a filter show another user the conversations of the main one.",
    showToOthers(listsWhere((parameters) => ![...parameters.keys()].some((name) => name.startsWith("filter")))),
  ),
  defineViolation("legacy/list-shows-own-only", "legacy-filter-user-id-opens")(
    "Lists with `filter_user_id` show another user the conversations of the main one.",
    showToOthers(listsWith("filter_user_id")),
  ),
  defineViolation("legacy/list-shows-own-only", "legacy-filter-id-opens")(
    "Lists with `filter_id` show another user the conversation of the main one.",
    showToOthers(listsWith("filter_id")),
  ),
  defineViolation("current/self-stands-for-the-user", "current-self-is-the-main-user")(
    "Lists of `users/~self` contain the conversations of the main user regardless of the caller.",
    showToOthers(selectCalls("current", "list")),
  ),
  defineViolation("legacy/page-first-bounds", "legacy-page-first-exceeded")(
    "Pages contain one conversation more than `page_first`, or as many as fit.",
    selectVariant({ ignored: () => 200, "one-more": (size: number) => size + 1 }, (sizeOf) =>
      changeListQuery(listsWith("page_first"), (query) => ({ ...query, pageSize: sizeOf(query.pageSize) })),
    ),
  ),
  defineViolation("legacy/page-first-bounds", "legacy-page-first-one-empty")(
    "First pages of one conversation are empty and have no cursor.",
    changePage(singleEntryPages, noPage),
  ),
  defineViolation("legacy/sort-is-kept", "legacy-sort-reversed")(
    "Lists with one value of `sort` are reversed.",
    withSettings({ sort: { title: "which value", default: sortOrders[0], choices: sortOrders } }, ({ sort }) =>
      reversePage(listsWhere((parameters) => parameters.get("sort") === sort)),
    ),
  ),
  defineViolation("legacy/sort-is-kept", "legacy-filtered-sort-ignored")(
    "Lists with a filter are sorted by update time regardless of `sort`.",
    changeListQuery(listsWith("filter_user_id", "sort"), sortByUpdate),
  ),
  defineViolation("legacy/sort-is-kept", "legacy-paged-sort-ignored")(
    "Lists with `page_first` are sorted by update time regardless of `sort`.",
    changeListQuery(listsWith("page_first", "sort"), sortByUpdate),
  ),
  defineViolation("legacy/sort-is-kept", "legacy-sort-by-creation")(
    "Lists sorted by update time are sorted by creation time instead.",
    sortByCreation(listsWhere((parameters) => String(parameters.get("sort")).endsWith("updated_at"))),
  ),
  defineViolation("legacy/default-sort-is-newest-update-first", "legacy-default-sort-reversed")(
    "Lists without `sort` are reversed.",
    reversePage(unsortedLists),
  ),
  defineViolation("legacy/default-sort-is-newest-update-first", "legacy-default-sort-by-creation")(
    "Lists without `sort` are sorted by creation time.",
    sortByCreation(unsortedLists),
  ),
  defineViolation("legacy/default-sort-is-newest-update-first", "legacy-paged-default-sort-by-id")(
    "Lists with `page_first` and without `sort` start with the lowest id.",
    changeListQuery(
      listsWhere((parameters) => parameters.has("page_first") && !parameters.has("sort")),
      (query) => ({ ...query, sort: "id" }),
    ),
  ),
  ...interfaces.map(createPagingFault),
];

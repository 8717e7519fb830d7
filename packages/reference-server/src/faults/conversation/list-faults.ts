import { listParameters, sortOrders } from "@assay/contract";
import { userIds } from "../../access.ts";
import type { ApiCall } from "../../conversation/api/api-call.ts";
import type { ConversationRecord } from "../../conversation/conversation-record.ts";
import type { ListQuery } from "../../conversation/store/list-query.ts";
import { isPayloadObject } from "../../payload.ts";
import type { PayloadObject } from "../../payload.ts";
import type { ConversationEffect } from "../conversation-effect.ts";
import type { FaultRun } from "../fault-run.ts";
import { type Fault, type Variants, howParameter, variantOf, violating } from "../fault.ts";
import { editAnswers, isMeant, replaceAnswers } from "./answer-edits.ts";
import { changeEntries, emptyLists } from "./list-entries.ts";
import { allRefusals } from "./refusal-variants.ts";

const legacyLists = { interface: "legacy", operations: ["list"] } as const;

const asksWith = (call: ApiCall, parameter: string): boolean =>
  isMeant(call, legacyLists) && call.parameters.has(parameter);

/** Lists something else than was asked for, where the parameter was given. */
const listedOtherwise = (
  parameter: string,
  change: (query: ListQuery, run: FaultRun) => ListQuery,
): ConversationEffect => ({
  layer: "conversation",
  list: (query, call, run) => {
    if (!asksWith(call, parameter)) {
      return query;
    }
    run.applied();
    return change(query, run);
  },
});

const withoutMember = (query: ListQuery, name: "id" | "readToken" | "starred"): ListQuery => {
  const { [name]: _left, ...rest } = query;
  return rest;
};

/** Variants to get a filter wrong: it is not looked at, or nothing passes. */
const filterVariants = { ignored: "list", "nothing-passes": "page" } as const;

/** A filter gone wrong for the user who has an access token; what others see has rules of its own. */
const brokenFilter = (parameter: string, member: "id" | "readToken"): ConversationEffect => {
  const isHit = (call: ApiCall, run: FaultRun, place: "list" | "page"): boolean => {
    const isNow = asksWith(call, parameter) && call.credential === "access" && variantOf(filterVariants, run) === place;
    if (isNow) {
      run.applied();
    }
    return isNow;
  };
  return {
    layer: "conversation",
    list: (query, call, run) => (isHit(call, run, "list") ? withoutMember(query, member) : query),
    page: (page, call, run) => (isHit(call, run, "page") ? { conversations: [] } : page),
  };
};

const unknownToken = "00000000-0000-4000-8000-000000000000";

const strangerOf = ({ questions: _theirs, ...entry }: PayloadObject): PayloadObject => ({
  ...entry,
  id: Number(entry["id"]) + 100_000,
  user_id: Number(entry["user_id"]) + 1000,
  read_token: unknownToken,
  share_url: String(entry["share_url"]).replace(String(entry["read_token"]), unknownToken),
  viewer: { is_owner: false },
});

const userVariants: Variants<(entries: readonly PayloadObject[]) => readonly PayloadObject[]> = {
  "a-stranger": (entries) => [...entries, ...entries.slice(-1).map(strangerOf)],
  "nothing-passes": () => [],
};

const missingVariants: Variants<(json: PayloadObject) => PayloadObject> = {
  one: (json) => changeEntries(json, (entries) => entries.slice(0, -1)),
  all: emptyLists.none,
  null: emptyLists.null,
  "no-member": emptyLists["no-member"],
};

const isPlainList = (call: ApiCall): boolean =>
  isMeant(call, legacyLists) && ![...call.parameters.keys()].some((name) => name.startsWith("filter"));

const isOrderedBy = (call: ApiCall, sort: string | null): boolean =>
  isMeant(call, legacyLists) && call.parameters.get("sort") === sort;

/** Turns the conversations of a page around. */
const reversed = (isTurned: (call: ApiCall, sort: string) => boolean): ConversationEffect => ({
  layer: "conversation",
  page: (page, call, run) => {
    if (!isTurned(call, String(run.values["sort"]))) {
      return page;
    }
    if (page.conversations.length > 1) {
      run.applied();
    }
    const conversations: readonly ConversationRecord[] = page.conversations.toReversed();
    return { ...page, conversations };
  },
});

const sizeVariants: Variants<(size: number) => number> = { ignored: () => 200, "one-more": (size) => size + 1 };

/** Faults in the filters, the order and the size of legacy lists. */
export const listFaultsOfConversations: readonly Fault[] = [
  violating("legacy/list-parameters-are-accepted", "legacy-list-refused")(
    "Lists with a documented parameter, or those without any, are refused.",
    replaceAnswers(legacyLists, (_answer, { call, run }) => {
      const parameter = String(run.values["parameter"]);
      const isRefused = parameter === "none" ? call.parameters.size === 0 : call.parameters.has(parameter);
      return isRefused && call.credential === "access" ? variantOf(allRefusals, run)?.("legacy") : undefined;
    }),
    {
      parameter: { title: "which parameter", default: "sort", choices: [...listParameters, "none"] },
      ...howParameter(allRefusals),
    },
  ),
  violating("legacy/filter-id-filters", "legacy-filter-id-broken")(
    "A list with `filter_id` has all conversations, or none.",
    brokenFilter("filter_id", "id"),
    howParameter(filterVariants),
  ),
  violating("legacy/filter-read-token-filters", "legacy-filter-read-token-broken")(
    "A list with `filter_read_token` has all conversations, or none.",
    brokenFilter("filter_read_token", "readToken"),
    howParameter(filterVariants),
  ),
  violating("legacy/list-has-own-conversations", "legacy-plain-list-incomplete")(
    "A list without parameters lacks the conversation that was updated first, or all of them in one of several forms.",
    editAnswers(legacyLists, (json, { call, run }) =>
      [...call.parameters.keys()].length === 0 && call.credential === "access"
        ? (variantOf(missingVariants, run)?.(json) ?? json)
        : json,
    ),
    howParameter(missingVariants),
  ),
  violating("legacy/list-shows-own-only", "legacy-list-shows-others")(
    "Lists without a filter show another user the conversations of the main one.",
    {
      layer: "conversation",
      list: (query, call, run) => {
        if (!isPlainList(call) || call.credential !== "other") {
          return query;
        }
        run.applied();
        return { ...query, viewerId: userIds.main };
      },
    },
  ),
  violating("legacy/filter-user-id-filters", "legacy-filter-user-id-broken")(
    "A list with `filter_user_id` has a conversation of another user as well, or none.",
    editAnswers(legacyLists, (json, { call, run }) =>
      call.parameters.has("filter_user_id")
        ? changeEntries(json, (entries) => variantOf(userVariants, run)?.(entries.filter(isPayloadObject)) ?? entries)
        : json,
    ),
    howParameter(userVariants),
  ),
  violating("legacy/filter-is-starred-filters", "legacy-filter-is-starred-ignored")(
    "A list with `filter_is_starred` has all conversations, with a star or without.",
    listedOtherwise("filter_is_starred", (query) => withoutMember(query, "starred")),
  ),
  violating("legacy/filter-is-starred-filters", "legacy-filter-is-starred-finds-nothing")(
    "A list of what is not starred is the list of what is.",
    listedOtherwise("filter_is_starred", (query) => ({ ...query, starred: true })),
  ),
  violating("legacy/filter-is-starred-filters", "legacy-not-starred-ignored")(
    "The conversation that was changed last is starred; a list of what is not starred has all conversations.",
    {
      ...listedOtherwise("filter_is_starred", (query) => withoutMember(query, "starred")),
      page: (page, call) =>
        asksWith(call, "filter_is_starred") && call.parameters.get("filter_is_starred") === "true"
          ? { conversations: page.conversations.slice(0, 1) }
          : page,
    },
  ),
  violating("legacy/page-first-bounds", "legacy-page-first-exceeded")(
    "Pages have one conversation more than `page_first` says, or as many as fit.",
    listedOtherwise("page_first", (query, run) => ({
      ...query,
      pageSize: variantOf(sizeVariants, run)?.(query.pageSize) ?? query.pageSize,
    })),
    howParameter(sizeVariants),
  ),
  violating("legacy/sort-is-kept", "legacy-sort-reversed")(
    "Lists with one value of `sort` come the other way round.",
    reversed((call, sort) => isOrderedBy(call, sort)),
    { sort: { title: "which value", default: sortOrders[0], choices: sortOrders } },
  ),
  violating("legacy/default-sort-is-newest-update-first", "legacy-default-sort-reversed")(
    "Lists without `sort` come the other way round.",
    reversed((call) => isOrderedBy(call, null)),
  ),
];

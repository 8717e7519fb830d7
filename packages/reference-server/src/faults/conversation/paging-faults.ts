import type { ConversationRecord } from "../../conversation/conversation-record.ts";
import type { ListedPage, ListQuery, PagePosition } from "../../conversation/store/list-query.ts";
import type { ConversationEffect } from "../conversation-effect.ts";
import type { FaultRun } from "../fault-run.ts";
import { type Fault, type Variants, howParameter, variantOf, violating } from "../fault.ts";
import { isMeant } from "./answer-edits.ts";
import type { InterfaceName } from "./answer-edits.ts";

/** What is to be done with a list that is asked for with a cursor, and with the pages that come of it. */
interface PagingVariant {
  readonly list?: (query: ListQuery, run: FaultRun) => ListQuery;
  readonly page?: (page: ListedPage, query: ListQuery) => ListedPage;
}

const valueOf = ({ createdAtMs, id, updatedAtMs }: ConversationRecord, sort: ListQuery["sort"]): number => {
  const name = sort.replace("-", "");
  return name === "id" ? id : name === "created_at" ? createdAtMs : updatedAtMs;
};

const positionKey = ({ id, value }: PagePosition): string => `position ${value} ${id}`;

/** Keeps in mind what comes before the last conversation of a page: another one of it, the page before, or nothing. */
const rememberPosition = ({ conversations, next }: ListedPage, { sort, after }: ListQuery, run: FaultRun): void => {
  const [before] = conversations.slice(-2, -1);
  if (next !== undefined && !run.memory.has(positionKey(next))) {
    const position = before === undefined ? (after ?? theStart) : { id: before.id, value: valueOf(before, sort) };
    run.memory.set(positionKey(next), position);
  }
};

/** Before the first conversation of all. */
const theStart = "the start";

const isPosition = (value: unknown): value is PagePosition =>
  typeof value === "object" && value !== null && "id" in value && "value" in value;

const ways: Variants<PagingVariant> = {
  // A page begins with the conversation that was the last one of the page before.
  repeats: {
    list: (query, { memory }) => {
      const { after, ...fromTheStart } = query;
      const before = after === undefined ? undefined : memory.get(positionKey(after));
      return before === theStart ? fromTheStart : isPosition(before) ? { ...query, after: before } : query;
    },
  },
  "leaves-out": { page: () => ({ conversations: [] }) },
  "leads-back": { page: (page, { after }) => (after === undefined ? page : { ...page, next: after }) },
};

const isQuery = (value: unknown): value is ListQuery =>
  typeof value === "object" && value !== null && "sort" in value && "pageSize" in value;

/** Only pages after the first are wrong. */
const brokenPaging = (name: InterfaceName): ConversationEffect => ({
  layer: "conversation",
  list: (query, call, run) => {
    // A list is asked for and found in one go: what is kept in mind here is what the page is about.
    run.memory.set("asked list", isMeant(call, { interface: name }) ? query : undefined);
    const other = query.after === undefined ? undefined : variantOf(ways, run)?.list?.(query, run);
    if (!isMeant(call, { interface: name }) || other === undefined || other === query) {
      return query;
    }
    run.applied();
    return other;
  },
  page: (page, _call, run) => {
    const asked = run.memory.get("asked list");
    if (!isQuery(asked)) {
      return page;
    }
    rememberPosition(page, asked, run);
    const change = variantOf(ways, run)?.page;
    if (asked.after === undefined || change === undefined) {
      return page;
    }
    run.applied();
    return change(page, asked);
  },
});

const pagingFault = (name: InterfaceName): Fault =>
  violating(`${name}/pages-do-not-overlap`, `${name}-paging-broken`)(
    "Pages after the first repeat a conversation, lack all others, or lead back to themselves.",
    brokenPaging(name),
    howParameter(ways),
  );

/** Faults in how pages of lists follow each other. */
export const pagingFaults: readonly Fault[] = [pagingFault("legacy"), pagingFault("current")];

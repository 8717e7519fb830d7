import type { ConversationRecord } from "../../conversation/conversation-record.ts";
import type { ListedPage, ListQuery, PagePosition } from "../../conversation/store/list-query.ts";
import type { FaultRun } from "../fault-run.ts";
import { type Fault, oneOf, type Variants, violating } from "../fault.ts";
import { callsOf, type Change, type InterfaceName, listing, paging } from "./call-effects.ts";

/** What is to be done with a list that is asked for, and with the page that comes of it. */
interface PagingWay {
  readonly list?: Change<ListQuery>;
  readonly page: (page: ListedPage, query: ListQuery, run: FaultRun) => ListedPage;
}

/** Before the first conversation of all. */
const theStart = "the start";

const valueOf = ({ createdAtMs, id, updatedAtMs }: ConversationRecord, sort: ListQuery["sort"]): number => {
  const name = sort.replace("-", "");
  return name === "id" ? id : name === "created_at" ? createdAtMs : updatedAtMs;
};

const positionKey = ({ id, value }: PagePosition): string => `position ${value} ${id}`;

/** Keeps in mind what comes before the last conversation of a page: another one of it, the page before, or nothing. */
const rememberPosition: PagingWay["page"] = (page, { after, sort }, { memory }) => {
  const { conversations, next } = page;
  const [before] = conversations.slice(-2, -1);
  if (next !== undefined && !memory.has(positionKey(next))) {
    const position = before === undefined ? (after ?? theStart) : { id: before.id, value: valueOf(before, sort) };
    memory.set(positionKey(next), position);
  }
  return page;
};

const isPosition = (value: unknown): value is PagePosition =>
  typeof value === "object" && value !== null && "id" in value && "value" in value;

/** Only pages after the first are wrong. */
const ways: Variants<PagingWay> = {
  // A page begins with the conversation that was the last one of the page before.
  repeats: {
    list: (query, { run: { memory } }) => {
      const { after, ...fromTheStart } = query;
      const before = after === undefined ? undefined : memory.get(positionKey(after));
      return before === theStart ? fromTheStart : isPosition(before) ? { ...query, after: before } : query;
    },
    page: rememberPosition,
  },
  "leaves-out": { page: (page, { after }) => (after === undefined ? page : { conversations: [] }) },
  "leads-back": { page: (page, { after }) => (after === undefined ? page : { ...page, next: after }) },
};

const isQuery = (value: unknown): value is ListQuery =>
  typeof value === "object" && value !== null && "sort" in value && "pageSize" in value;

const pagingFault = (name: InterfaceName): Fault =>
  violating(`${name}/pages-do-not-overlap`, `${name}-paging-broken`)(
    "Pages after the first repeat a conversation, lack all others, or lead back to themselves.",
    oneOf(ways, ({ list, page }) => ({
      ...listing(callsOf(name), (query, context) => {
        // A list is asked for and found in one go: what is kept in mind here is what the page is about.
        context.run.memory.set("asked list", query);
        return list?.(query, context) ?? query;
      }),
      ...paging(callsOf(name), (found, { run }) => {
        const asked = run.memory.get("asked list");
        return isQuery(asked) ? page(found, asked, run) : found;
      }),
    })),
  );

/** Faults in how pages of lists follow each other. */
export const pagingFaults: readonly Fault[] = [pagingFault("legacy"), pagingFault("current")];

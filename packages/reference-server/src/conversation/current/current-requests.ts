import type { Caller } from "../api/api-access.ts";
import { isPayloadArray, isPayloadObject, type PayloadObject } from "../../payload.ts";
import type { ListQuery } from "../store/list-query.ts";
import { readCursor } from "../store/page-cursor.ts";

/** What a request asks for, or what is wrong with it. */
export type ReadRequest<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly message: string };

const wrong = (message: string): { readonly ok: false; readonly message: string } => ({ ok: false, message });

/** A member under either of its spellings; null counts as absent, as in JSON of protocol buffers. */
const memberOf = (object: PayloadObject, ...names: readonly string[]): unknown =>
  names
    .map((name) => (Object.hasOwn(object, name) ? object[name] : undefined))
    .find((value) => (value ?? undefined) !== undefined);

const inputText = (input: unknown): string | undefined => {
  const block = isPayloadObject(input) ? memberOf(input, "question") : undefined;
  const text = isPayloadObject(block) ? memberOf(block, "text") : undefined;
  return typeof text === "string" ? text : undefined;
};

/** The text of a question message; several inputs are put together as lines. */
export const readQuestion = (question: unknown): ReadRequest<string> => {
  const inputs = isPayloadObject(question) ? memberOf(question, "input") : undefined;
  if (!isPayloadArray(inputs)) {
    return wrong("question is required: it has a list input of blocks with question.text.");
  }
  const texts = inputs.map(inputText);
  if (texts.includes(undefined)) {
    return wrong("every input of a question must have a text at question.text; other inputs are not supported.");
  }
  const text = texts.join("\n");
  return text.trim() === "" ? wrong("question is required: its text is empty.") : { ok: true, value: text };
};

/** The text of the one question that a new conversation is created with. */
export const readCreation = (request: PayloadObject): ReadRequest<string> => {
  const conversation = memberOf(request, "conversation");
  const questions = isPayloadObject(conversation) ? memberOf(conversation, "questions") : undefined;
  return isPayloadArray(questions) && questions.length === 1
    ? readQuestion(questions[0])
    : wrong("question is required: conversation.questions must have exactly one.");
};

const usualPageSize = 50;
const mostPageSize = 200;

/** A number may come as a text, as in JSON of protocol buffers; 0 means as many as usual. */
const readPageSize = (value: unknown): ReadRequest<number> => {
  const number = typeof value === "string" && /^\d{1,9}$/u.test(value) ? Number(value) : (value ?? 0);
  return typeof number === "number" && Number.isSafeInteger(number) && number >= 0
    ? { ok: true, value: number === 0 ? usualPageSize : Math.min(number, mostPageSize) }
    : wrong("page_size must be a whole number from 0.");
};

type Filters = Pick<ListQuery, "contains" | "starred">;

const readFilter = (filter: unknown): ReadRequest<Filters> => {
  if (!isPayloadObject(filter)) {
    return wrong("filters must be a list of objects.");
  }
  const contains = memberOf(filter, "contentQuery", "content_query");
  const starred = memberOf(filter, "starred");
  if (typeof contains === "string") {
    return { ok: true, value: contains === "" ? {} : { contains } };
  }
  if (typeof starred === "boolean") {
    return { ok: true, value: { starred } };
  }
  return wrong("a filter must have a text content_query or a truth value starred.");
};

/** Filters all have to hold; of several of one kind the last counts. */
const readFilters = (value: unknown): ReadRequest<Filters> => {
  const filters = (isPayloadArray(value) ? value : value === undefined ? [] : [undefined]).map(readFilter);
  const values: Filters[] = [];
  for (const filter of filters) {
    if (!filter.ok) {
      return filter;
    }
    values.push(filter.value);
  }
  const contains = values.findLast((filter) => filter.contains !== undefined);
  const starred = values.findLast((filter) => filter.starred !== undefined);
  return { ok: true, value: { ...contains, ...starred } };
};

const order = "-updated_at";

const readToken = (token: unknown): ReadRequest<Pick<ListQuery, "after">> => {
  if (token === undefined || token === "") {
    return { ok: true, value: {} };
  }
  const after = typeof token === "string" ? readCursor(token, order) : undefined;
  return after === undefined ? wrong("page_token must be one that a list gave.") : { ok: true, value: { after } };
};

/** A list of the caller's conversations, newest update first; 50 on a page unless told otherwise, never more than 200. */
export const readList = (request: PayloadObject, { userId }: Caller): ReadRequest<ListQuery> => {
  const pageSize = readPageSize(memberOf(request, "pageSize", "page_size"));
  const filters = readFilters(memberOf(request, "filters"));
  const token = readToken(memberOf(request, "pageToken", "page_token"));
  if (!pageSize.ok) {
    return pageSize;
  }
  if (!filters.ok) {
    return filters;
  }
  if (!token.ok) {
    return token;
  }
  return {
    ok: true,
    value: { viewerId: userId, shared: false, sort: order, pageSize: pageSize.value, ...filters.value, ...token.value },
  };
};

import { currentCursorNames, defined, statsMembers } from "@assay/contract";
import { exactDigits } from "./exact-json.ts";
import { arrayMember, elementsOf, isRecord, member, stringMember, wireString } from "./json-value.ts";
import type { JsonRecord } from "./json-value.ts";

/*
 * Conversations as targets send them, in either interface. The driver, the rules and the load scenarios all read them here, so that they
 * agree on what a conversation is. Reading never fails: members without the documented type are omitted.
 */

/** A question of either interface. Members without the documented type are omitted. `json` contains all of them. */
export interface QuestionView {
  /** Legacy only: the current interface has no ids of questions. */
  readonly id?: string;
  /** Legacy only: the id of the conversation, according to the question. */
  readonly conversationId?: string;
  readonly text?: string;
  /** Legacy only, verbatim. */
  readonly status?: string;
  /** Current only: the single key of the question's own state, if it has one. */
  readonly state?: string;
  /** The text of the answer. For content blocks, the text of the markdown blocks. */
  readonly answer?: string;
  /** Names of the present members, as used by the gates of the state tables. */
  readonly facts: ReadonlySet<string>;
  readonly createdAt?: string;
  readonly updatedAt?: string;
  readonly json: unknown;
  /** JSON pointer into the response body. */
  readonly pointer: string;
}

/** A conversation of either interface. */
export interface ConversationView {
  /** Legacy: the id. Current: the last part of the name. */
  readonly id?: string;
  /** Current only. */
  readonly name?: string;
  /** Current only: the single key of the state, verbatim. */
  readonly state?: string;
  readonly questions: readonly QuestionView[];
  readonly createdAt?: string;
  readonly updatedAt?: string;
  readonly json: unknown;
  /** JSON pointer into the response body. Empty unless the conversation is wrapped. */
  readonly pointer: string;
}

/** A list in any accepted form. */
export interface ListView {
  /** The elements that are objects. Questions and times are set if the entry contains them. */
  readonly entries: readonly ConversationView[];
  /** The cursor of the next page. Absent on the last page and if no cursor is recognised. */
  readonly cursor?: string;
  /** Name of the member that contains the entries. Nested names are joined with `/`. Absent if the body itself is the array or is empty. */
  readonly envelope?: string;
}

/** A JSON value and its location in the body. */
export interface LocatedJson {
  readonly json: unknown;
  readonly pointer: string;
}

type InterfaceName = "legacy" | "current";

/** Maximum length of an identifier. Real ones are far shorter. */
const maxIdentifierLength = 1_000;

/**
 * Returns a numeric or string id as text. Returns undefined for other values and for numbers that JSON readers round. `idMember` returns
 * the digits of those.
 */
export function toIdText(value: unknown): string | undefined {
  if (typeof value === "string") {
    return value === "" || value.length > maxIdentifierLength ? undefined : value;
  }
  return Number.isSafeInteger(value) ? String(value) : undefined;
}

/** Returns the id in a member of an object as text, however large, or undefined. */
export const idMember = (holder: unknown, name: string): string | undefined =>
  toIdText(exactDigits(holder, name) ?? member(holder, name));

/** Splits a name `users/<user>/conversations/<conversation>`. Returns undefined for any other form. */
export function parseConversationName(
  name: string,
): { readonly user: string; readonly conversation: string } | undefined {
  const [, user, conversation] = /^users\/([^/\s]+)\/conversations\/([^/\s]+)$/.exec(name) ?? [];
  return user === undefined || conversation === undefined ? undefined : { user, conversation };
}

/**
 * Returns the parent `users/<user>` in the name of a conversation. Undefined for any other form, and for literals such as `~self`, which
 * stand for the user who asks.
 */
export function parentOfName(name: string): string | undefined {
  const { user } = parseConversationName(name) ?? {};
  return user === undefined || user.includes("~") ? undefined : `users/${user}`;
}

/** Returns the last part of a resource name in any form, or undefined if it is empty. */
export const lastPart = (name: string): string | undefined => toIdText(name.slice(name.lastIndexOf("/") + 1));

/** Parts of error codes and kinds that mean that further requests would only use up a shared allowance. */
const exhaustionPattern = /quota|entitlement|rate_?limit/iu;

/** Reports whether an error code or kind means that a quota, entitlement or rate limit is used up. */
export const isExhaustionCode = (code: string | undefined): boolean =>
  code !== undefined && exhaustionPattern.test(code);

/** Returns the resource inside a wrapper object, or the value itself. */
export const unwrapResource = (json: unknown, name: string): LocatedJson =>
  isRecord(member(json, name)) ? { json: member(json, name), pointer: `/${name}` } : { json, pointer: "" };

/** Reads a conversation of the given interface. Any members are accepted. Source: conversation-api, sections 2.1 and 2.4. */
export const readConversation = (interfaceName: InterfaceName, json: JsonRecord, pointer: string): ConversationView =>
  interfaceName === "legacy" ? readLegacyConversation(json, pointer) : readCurrentConversation(json, pointer);

/** Reads a question of the given interface. Any members are accepted. Source: conversation-api, sections 2.2 and 2.4. */
export const readQuestion = (interfaceName: InterfaceName, json: unknown, pointer: string): QuestionView =>
  interfaceName === "legacy" ? readLegacyQuestion(json, pointer) : readCurrentQuestion(json, pointer);

const readQuestions = (interfaceName: InterfaceName, json: JsonRecord, pointer: string): readonly QuestionView[] =>
  arrayMember(json, "questions").map((question, index) =>
    readQuestion(interfaceName, question, `${pointer}/questions/${index}`),
  );

function readLegacyConversation(json: JsonRecord, pointer: string): ConversationView {
  const id = idMember(json, "id");
  return {
    ...defined({ id }),
    ...withTimes(stringMember(json, "created_at"), stringMember(json, "updated_at")),
    questions: readQuestions("legacy", json, pointer),
    json,
    pointer,
  };
}

function readLegacyQuestion(json: unknown, pointer: string): QuestionView {
  const id = idMember(json, "id");
  const conversationId = idMember(json, "conversation_id");
  const text = stringMember(json, "question");
  const status = stringMember(json, "status");
  const answer = stringMember(json, "answer");
  return {
    ...defined({ id, conversationId, text, status, answer }),
    ...withTimes(stringMember(json, "created_at"), stringMember(json, "updated_at")),
    facts: findLegacyFacts(json),
    json,
    pointer,
  };
}

const isPresent = (value: unknown): boolean => value !== undefined && value !== null;

const isNonEmpty = (value: unknown): boolean => isPresent(value) && value !== "";

const isNonZero = (value: unknown): boolean => typeof value === "number" && value !== 0;

function findLegacyFacts(json: unknown): ReadonlySet<string> {
  const stats = member(json, "stats");
  const facts: readonly (readonly [string, boolean])[] = [
    ["answer", isNonEmpty(member(json, "answer"))],
    ["title", isNonEmpty(member(json, "title"))],
    ["sources", isPresent(member(json, "sources"))],
    ["stats", isPresent(stats)],
    ["stats-not-zero", statsMembers.some((name) => isNonZero(member(stats, name)))],
    ["followups", isPresent(member(json, "suggested_followups"))],
    ["error", isPresent(member(json, "error"))],
  ];
  return new Set(facts.flatMap(([name, isTrue]) => (isTrue ? [name] : [])));
}

function readCurrentConversation(json: JsonRecord, pointer: string): ConversationView {
  const name = stringMember(json, "name");
  const id = name === undefined ? undefined : lastPart(name);
  const state = conversationState(json);
  return {
    ...defined({ id, name, state }),
    ...withTimes(wireString(json, "createTime"), wireString(json, "updateTime")),
    questions: readQuestions("current", json, pointer),
    json,
    pointer,
  };
}

function readCurrentQuestion(json: unknown, pointer: string): QuestionView {
  const text = inputText(json);
  const answer = answerText(member(json, "answer"));
  const state = singleStateKey(json);
  return {
    ...defined({ state, text, answer }),
    ...withTimes(wireString(json, "createTime"), wireString(json, "updateTime")),
    facts: new Set(hasAnswer(member(json, "answer")) ? ["answer"] : []),
    json,
    pointer,
  };
}

/**
 * The state of a conversation, or of its last question if the conversation has none. The specification requires both to have one. Source:
 * conversation-api, sections 2.4 and 7.
 */
const conversationState = (json: JsonRecord): string | undefined =>
  Object.hasOwn(json, "state") ? singleStateKey(json) : singleStateKey(arrayMember(json, "questions").at(-1));

/** Returns the key of a state with a single key. */
function singleStateKey(json: unknown): string | undefined {
  const state = member(json, "state");
  const [key, ...furtherKeys] = isRecord(state) ? Object.keys(state) : [];
  return furtherKeys.length === 0 ? key : undefined;
}

/** Returns the text inputs of a question of the current interface, joined by newlines. Source: conversation-api, section 2.4. */
export function inputText(question: unknown): string | undefined {
  const texts = arrayMember(question, "input").flatMap(
    (input) => stringMember(member(input, "question"), "text") ?? [],
  );
  return texts.length === 0 ? undefined : texts.join("\n");
}

/** Returns a string answer, or the joined text of the markdown blocks. */
function answerText(answer: unknown): string | undefined {
  if (typeof answer === "string") {
    return answer;
  }
  const texts = elementsOf(answer).flatMap((block) => stringMember(member(block, "markdown"), "text") ?? []);
  return texts.length === 0 ? undefined : texts.join("");
}

/** Reports whether an answer has text. An empty string, an empty list and blocks without text do not count. */
function hasAnswer(answer: unknown): boolean {
  if (Array.isArray(answer)) {
    return answer.length > 0 && answerText(answer) !== "";
  }
  return isPresent(answer) && answer !== "";
}

const withTimes = (
  createdAt: string | undefined,
  updatedAt: string | undefined,
): Pick<QuestionView, "createdAt" | "updatedAt"> => ({
  ...defined({ createdAt, updatedAt }),
});

/** Members that may contain a list. Neither interface documents the form of its lists. */
const envelopeNames = {
  legacy: ["conversations", "results", "items", "data"],
  current: [
    "conversationSummaries",
    "conversation_summaries",
    "conversations",
    "summaries",
    "results",
    "items",
    "data",
  ],
} as const;

const cursorNames = {
  legacy: [
    "page_after",
    "pageAfter",
    "next_cursor",
    "nextCursor",
    "end_cursor",
    "endCursor",
    "next_page_token",
    "nextPageToken",
    "next",
    "cursor",
  ],
  current: currentCursorNames,
} as const;

/** Objects, in addition to the body itself, that may contain a cursor. */
const cursorHolders = ["page_info", "pageInfo", "pagination", "page", "meta"] as const;

/** Members that indicate whether there is a next page. */
const nextPageFlags = ["has_next_page", "hasNextPage", "has_more"] as const;

/** Reads the list in a response body. Returns undefined if none is recognised. Neither interface documents the form. */
export function readList(interfaceName: InterfaceName, json: unknown): ListView | undefined {
  const entryList = findEntries(json, interfaceName);
  if (entryList === undefined) {
    return undefined;
  }
  const cursor = findCursor(entryList.holders, interfaceName);
  return {
    entries: entryList.elements.flatMap((entry, index) =>
      isRecord(entry) ? [readConversation(interfaceName, entry, `${entryList.pointer}/${index}`)] : [],
    ),
    ...defined({ cursor }),
    ...(entryList.pointer === "" ? {} : { envelope: entryList.pointer.slice(1) }),
  };
}

/** Maximum number of objects around a list. */
const maxEnvelopes = 4;

interface EntryList {
  readonly elements: readonly unknown[];
  /** JSON pointer into the response body. */
  readonly pointer: string;
  /** The objects around the list, outermost first. */
  readonly holders: readonly unknown[];
}

const rootLocation = { pointer: "", holders: [] } as const;

function findEntries(json: unknown, interfaceName: InterfaceName, depth = 0): EntryList | undefined {
  if (Array.isArray(json)) {
    return { elements: json, ...rootLocation };
  }
  if (!isRecord(json) || depth === maxEnvelopes) {
    return isEmptyValue(json) ? { elements: [], ...rootLocation } : undefined;
  }
  const listKey = envelopeNames[interfaceName].find((key) => Array.isArray(json[key]));
  if (listKey !== undefined) {
    return { elements: elementsOf(json[listKey]), pointer: `/${listKey}`, holders: [json] };
  }
  // A server that omits an empty list may still send a cursor.
  const pagingNames: ReadonlySet<string> = new Set([...cursorNames[interfaceName], ...cursorHolders, ...nextPageFlags]);
  const candidateKeys = Object.keys(json).filter((key) => !pagingNames.has(key) && !isEmptyValue(json[key]));
  // The name of the list is unspecified, so the only array of objects is the list, at any depth.
  const [onlyList, ...furtherLists] = candidateKeys.flatMap((key) => {
    const value = json[key];
    const inner = isRecord(value) || isListOfObjects(value) ? findEntries(value, interfaceName, depth + 1) : undefined;
    return inner === undefined ? [] : [{ ...inner, pointer: `/${key}${inner.pointer}` }];
  });
  if (onlyList !== undefined && furtherLists.length === 0) {
    return { ...onlyList, holders: [json, ...onlyList.holders] };
  }
  // Inside another object, an empty member need not be a list.
  const isEmpty =
    candidateKeys.length === 0 && (depth === 0 || Object.values(json).some((value) => Array.isArray(value)));
  return isEmpty ? { elements: [], pointer: "", holders: [json] } : undefined;
}

const isListOfObjects = (value: unknown): boolean => Array.isArray(value) && value.length > 0 && value.every(isRecord);

/** Reports whether a value is empty, so that it contains no conversation. */
const isEmptyValue = (value: unknown): boolean =>
  (Array.isArray(value) && value.length === 0) ||
  (isRecord(value) && Object.keys(value).length === 0) ||
  value === null ||
  value === "" ||
  value === false ||
  value === 0;

function findCursor(enclosing: readonly unknown[], interfaceName: InterfaceName): string | undefined {
  const holders = enclosing.flatMap((holder) => [holder, ...cursorHolders.map((key) => member(holder, key))]);
  const isLastPage = holders.some((holder) => nextPageFlags.some((key) => member(holder, key) === false));
  const [cursor] = isLastPage
    ? []
    : holders.flatMap((holder) => cursorNames[interfaceName].flatMap((key) => idMember(holder, key) ?? []));
  return cursor;
}

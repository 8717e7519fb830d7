import { currentCursorNames, defined, statsMembers } from "@assay/contract";
import { exactDigits } from "./exact-json.ts";
import { arrayMember, elementsOf, isRecord, member, stringMember, wireString } from "./json-value.ts";
import type { JsonRecord } from "./json-value.ts";

/*
 * Conversations as targets send them, in either interface. Who drives, who judges and who loads read them here, so that
 * they take the same thing for a conversation. Nothing here fails: what is not of the documented type is left out.
 */

/** A question of either interface. Members that are not of the documented type are left out; `json` has them. */
export interface QuestionView {
  /** Legacy only: the current interface has no ids of questions. */
  readonly id?: string;
  /** Legacy only: id of the conversation the question says it is in. */
  readonly conversationId?: string;
  readonly text?: string;
  /** Legacy only, as it was sent. */
  readonly status?: string;
  /** Current only, and only where the question shows one besides the conversation: the single key of its own state. */
  readonly state?: string;
  /** Text of the answer; of blocks, those in markdown. */
  readonly answer?: string;
  /** Names of what the question has, as the gates of the state tables call it. */
  readonly facts: ReadonlySet<string>;
  readonly createdAt?: string;
  readonly updatedAt?: string;
  readonly json: unknown;
  /** JSON pointer from the body of the answer. */
  readonly pointer: string;
}

/** A conversation of either interface. */
export interface ConversationView {
  /** Legacy: the id; current: the last part of the name. */
  readonly id?: string;
  /** Current only. */
  readonly name?: string;
  /** Current only: the single key of the state, as it was sent. */
  readonly state?: string;
  readonly questions: readonly QuestionView[];
  readonly createdAt?: string;
  readonly updatedAt?: string;
  readonly json: unknown;
  /** JSON pointer from the body of the answer; empty unless the conversation is wrapped. */
  readonly pointer: string;
}

/** A list in any of the forms that are accepted. */
export interface ListView {
  /** Elements that are objects; `questions` and times are there as far as the entries have them. */
  readonly entries: readonly ConversationView[];
  /** What asks for the next page; absent on the last one, and where none is recognised. */
  readonly cursor?: string;
  /**
   * Name of the member that holds the entries, those of several around one another with `/` between them; absent where the
   * body is the array itself, or holds nothing.
   */
  readonly envelope?: string;
}

/** A JSON value and where it stands in the body. */
export interface JsonPlace {
  readonly json: unknown;
  readonly pointer: string;
}

type InterfaceName = "legacy" | "current";

/** Longest identifier that is compared; no instance has one of a fraction of this length. */
const maxIdentifierLength = 1_000;

/**
 * A numeric id, or a text in its place, as text. Nothing for what is neither, and for numbers so large that JSON readers
 * round them: of those `idMember` knows the digits.
 */
export function idText(value: unknown): string | undefined {
  if (typeof value === "string") {
    return value === "" || value.length > maxIdentifierLength ? undefined : value;
  }
  return Number.isSafeInteger(value) ? String(value) : undefined;
}

/** The id that is a member of an object, as text, however large it is; nothing for what is none. */
export const idMember = (holder: unknown, name: string): string | undefined =>
  idText(exactDigits(holder, name) ?? member(holder, name));

/** The parts of a name `users/<user>/conversations/<conversation>`, or nothing for a name of another form. */
export function conversationName(name: string): { readonly user: string; readonly conversation: string } | undefined {
  const [, user, conversation] = /^users\/([^/\s]+)\/conversations\/([^/\s]+)$/.exec(name) ?? [];
  return user === undefined || conversation === undefined ? undefined : { user, conversation };
}

/** The last part of a resource name, whatever its form; nothing where that is empty. */
export const lastPart = (name: string): string | undefined => idText(name.slice(name.lastIndexOf("/") + 1));

/** Parts of error codes and kinds that tell that asking more would only use up what others need. */
const usedUp = /quota|entitlement|rate_?limit/iu;

/** Whether the code or kind of an error says that a quota, an entitlement or a rate is used up. */
export const isUsedUp = (code: string | undefined): boolean => code !== undefined && usedUp.test(code);

/** The resource inside a wrapper object, or the value itself. */
export const unwrapped = (json: unknown, name: string): JsonPlace =>
  isRecord(member(json, name)) ? { json: member(json, name), pointer: `/${name}` } : { json, pointer: "" };

/** A conversation of that interface, whatever its members are. Source: conversation-api, sections 2.1 and 2.4. */
export const readConversation = (name: InterfaceName, json: JsonRecord, pointer: string): ConversationView =>
  name === "legacy" ? legacyConversation(json, pointer) : currentConversation(json, pointer);

/** A question of that interface, whatever its members are. Source: conversation-api, sections 2.2 and 2.4. */
export const readQuestion = (name: InterfaceName, json: unknown, pointer: string): QuestionView =>
  name === "legacy" ? legacyQuestion(json, pointer) : currentQuestion(json, pointer);

const questionsIn = (name: InterfaceName, json: JsonRecord, pointer: string): readonly QuestionView[] =>
  arrayMember(json, "questions").map((question, index) =>
    readQuestion(name, question, `${pointer}/questions/${index}`),
  );

function legacyConversation(json: JsonRecord, pointer: string): ConversationView {
  const id = idMember(json, "id");
  return {
    ...defined({ id }),
    ...times(stringMember(json, "created_at"), stringMember(json, "updated_at")),
    questions: questionsIn("legacy", json, pointer),
    json,
    pointer,
  };
}

function legacyQuestion(json: unknown, pointer: string): QuestionView {
  const id = idMember(json, "id");
  const conversationId = idMember(json, "conversation_id");
  const text = stringMember(json, "question");
  const status = stringMember(json, "status");
  const answer = stringMember(json, "answer");
  return {
    ...defined({ id, conversationId, text, status, answer }),
    ...times(stringMember(json, "created_at"), stringMember(json, "updated_at")),
    facts: legacyFacts(json),
    json,
    pointer,
  };
}

const isThere = (value: unknown): boolean => value !== undefined && value !== null;

/** A text of nothing is none. */
const isFilled = (value: unknown): boolean => isThere(value) && value !== "";

const isOtherNumber = (value: unknown): boolean => typeof value === "number" && value !== 0;

function legacyFacts(json: unknown): ReadonlySet<string> {
  const stats = member(json, "stats");
  const facts: readonly (readonly [string, boolean])[] = [
    ["answer", isFilled(member(json, "answer"))],
    ["title", isFilled(member(json, "title"))],
    ["sources", isThere(member(json, "sources"))],
    ["stats", isThere(stats)],
    ["stats-not-zero", statsMembers.some((name) => isOtherNumber(member(stats, name)))],
    ["followups", isThere(member(json, "suggested_followups"))],
    ["error", isThere(member(json, "error"))],
  ];
  return new Set(facts.flatMap(([name, holds]) => (holds ? [name] : [])));
}

function currentConversation(json: JsonRecord, pointer: string): ConversationView {
  const name = stringMember(json, "name");
  const id = name === undefined ? undefined : lastPart(name);
  const state = conversationState(json);
  return {
    ...defined({ id, name, state }),
    ...times(wireString(json, "createTime"), wireString(json, "updateTime")),
    questions: questionsIn("current", json, pointer),
    json,
    pointer,
  };
}

function currentQuestion(json: unknown, pointer: string): QuestionView {
  const text = inputText(json);
  const answer = answerText(member(json, "answer"));
  const state = stateOf(json);
  return {
    ...defined({ state, text, answer }),
    ...times(wireString(json, "createTime"), wireString(json, "updateTime")),
    facts: new Set(hasAnswer(member(json, "answer")) ? ["answer"] : []),
    json,
    pointer,
  };
}

/**
 * The state of a conversation; where it shows none itself, that of its last question: the specification says of both that they
 * have one. Source: conversation-api, sections 2.4 and 7.
 */
const conversationState = (json: JsonRecord): string | undefined =>
  Object.hasOwn(json, "state") ? stateOf(json) : stateOf(arrayMember(json, "questions").at(-1));

/** The single key of a state that is one. */
function stateOf(json: unknown): string | undefined {
  const state = member(json, "state");
  const [key, ...more] = isRecord(state) ? Object.keys(state) : [];
  return more.length === 0 ? key : undefined;
}

/** The text of a question of the current interface: of its inputs, those that are text, one after the other. Source: conversation-api, section 2.4. */
export function inputText(question: unknown): string | undefined {
  const texts = arrayMember(question, "input").flatMap(
    (input) => stringMember(member(input, "question"), "text") ?? [],
  );
  return texts.length === 0 ? undefined : texts.join("\n");
}

/** The text of an answer: a string as it is, of content blocks those in markdown, one after the other. */
function answerText(answer: unknown): string | undefined {
  if (typeof answer === "string") {
    return answer;
  }
  const texts = elementsOf(answer).flatMap((block) => stringMember(member(block, "markdown"), "text") ?? []);
  return texts.length === 0 ? undefined : texts.join("");
}

/** An answer of no text, of no blocks, or of blocks with no text is none. */
function hasAnswer(answer: unknown): boolean {
  if (Array.isArray(answer)) {
    return answer.length > 0 && answerText(answer) !== "";
  }
  return isThere(answer) && answer !== "";
}

const times = (
  createdAt: string | undefined,
  updatedAt: string | undefined,
): Pick<QuestionView, "createdAt" | "updatedAt"> => ({
  ...defined({ createdAt, updatedAt }),
});

/** Members in which a list may stand: neither interface shows the form of its lists. */
const envelopes = {
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

/** Objects in which a cursor may stand, besides the body itself. */
const cursorHolders = ["page_info", "pageInfo", "pagination", "page", "meta"] as const;

/** Members that say whether a page follows. */
const endNames = ["has_next_page", "hasNextPage", "has_more"] as const;

/** The list that the body of an answer is, or nothing where none is recognised: the forms of both are not shown. */
export function readList(name: InterfaceName, json: unknown): ListView | undefined {
  const found = entriesIn(json, name);
  if (found === undefined) {
    return undefined;
  }
  const cursor = cursorIn(found.holders, name);
  return {
    entries: found.list.flatMap((entry, index) =>
      isRecord(entry) ? [readConversation(name, entry, `${found.pointer}/${index}`)] : [],
    ),
    ...defined({ cursor }),
    ...(found.pointer === "" ? {} : { envelope: found.pointer.slice(1) }),
  };
}

/** How many objects may stand around a list. */
const maxEnvelopes = 4;

interface Entries {
  readonly list: readonly unknown[];
  /** JSON pointer from the body. */
  readonly pointer: string;
  /** The objects around the list, from the outside. */
  readonly holders: readonly unknown[];
}

const nowhere = { pointer: "", holders: [] } as const;

function entriesIn(json: unknown, name: InterfaceName, depth = 0): Entries | undefined {
  if (Array.isArray(json)) {
    return { list: json, ...nowhere };
  }
  if (!isRecord(json) || depth === maxEnvelopes) {
    return isNothing(json) ? { list: [], ...nowhere } : undefined;
  }
  const named = envelopes[name].find((key) => Array.isArray(json[key]));
  if (named !== undefined) {
    return { list: elementsOf(json[named]), pointer: `/${named}`, holders: [json] };
  }
  // A server that leaves out an empty list may still name the next page.
  const beside: ReadonlySet<string> = new Set([...cursorNames[name], ...cursorHolders, ...endNames]);
  const others = Object.keys(json).filter((key) => !beside.has(key) && !isNothing(json[key]));
  // How the list is called is left open, so that the only array of objects is it, however deep it stands.
  const [found, ...more] = others.flatMap((key) => {
    const value = json[key];
    const inner = isRecord(value) || isListOfObjects(value) ? entriesIn(value, name, depth + 1) : undefined;
    return inner === undefined ? [] : [{ ...inner, pointer: `/${key}${inner.pointer}` }];
  });
  if (found !== undefined && more.length === 0) {
    return { ...found, holders: [json, ...found.holders] };
  }
  // Inside another object, what is empty need not be a list.
  const isEmpty = others.length === 0 && (depth === 0 || Object.values(json).some((value) => Array.isArray(value)));
  return isEmpty ? { list: [], pointer: "", holders: [json] } : undefined;
}

const isListOfObjects = (value: unknown): boolean => Array.isArray(value) && value.length > 0 && value.every(isRecord);

/** What holds nothing: in whichever form lists come, no conversation is in it. */
const isNothing = (value: unknown): boolean =>
  (Array.isArray(value) && value.length === 0) ||
  (isRecord(value) && Object.keys(value).length === 0) ||
  value === null ||
  value === "" ||
  value === false ||
  value === 0;

function cursorIn(around: readonly unknown[], name: InterfaceName): string | undefined {
  const holders = around.flatMap((holder) => [holder, ...cursorHolders.map((key) => member(holder, key))]);
  const hasEnded = holders.some((holder) => endNames.some((key) => member(holder, key) === false));
  const [cursor] = hasEnded
    ? []
    : holders.flatMap((holder) => cursorNames[name].flatMap((key) => idMember(holder, key) ?? []));
  return cursor;
}

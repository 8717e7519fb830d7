import { defined, legacyPath, sortOrders } from "@assay/contract";
import { member, stringMember, idMember, toIdText } from "@assay/reading";
import { hasJsonObject } from "./parsed-request.ts";
import type { ParsedRequest, SentRequest } from "./parsed-request.ts";
import type { ConversationOperation } from "./conversation-operation.ts";

const isId = (value: string): boolean => /^\d+$/.test(value);
const isText = (value: string): boolean => value !== "";

const valueChecks: ReadonlyMap<string, (value: string) => boolean> = new Map([
  ["filter_id", isId],
  ["filter_user_id", isId],
  ["filter_read_token", isText],
  ["filter_is_starred", (value) => value === "true" || value === "false"],
  ["page_first", (value) => /^[1-9]\d*$/.test(value)],
  ["page_after", isText],
  ["sort", (value) => sortOrders.some((order) => order === value)],
]);

/**
 * Reports whether a list parameter is documented and its value is well-formed. Source: conversation-api, section 4.1.
 */
const isWellFormedListParameter = ([name, value]: readonly [name: string, value: string]): boolean =>
  valueChecks.get(name)?.(value) ?? false;

/** The ids in the path after the base path, and the query parameters. */
interface LegacyUrl {
  readonly conversationId: string | undefined;
  readonly questionId: string | undefined;
  readonly parameters: ReadonlyMap<string, string>;
}

/** Parses a request of the legacy interface. Source: conversation-api, sections 4.1 and 5. */
export function parseLegacyRequest(sent: SentRequest): Omit<ParsedRequest, "hasClientHeader" | "json"> {
  const { conversationId, questionId, parameters } = parseLegacyUrl(sent.request.url);
  const question = stringMember(sent.json, "question");
  const bodyConversationId = idMember(sent.json, "conversation_id");
  const members = {
    parameters,
    ...defined({ conversationId, questionId, question, bodyConversationId }),
  };
  return { ...members, isWellFormed: isClientHeader(sent.clientHeader) && requirements[sent.operation](sent, members) };
}

function parseLegacyUrl(url: string): LegacyUrl {
  const parsedUrl = URL.canParse(url) ? new URL(url) : undefined;
  const path = parsedUrl?.pathname ?? "";
  const start = path.lastIndexOf(legacyPath);
  const [, conversationId, , questionId] = start === -1 ? [] : path.slice(start + legacyPath.length).split("/");
  return {
    conversationId: decodePart(conversationId),
    questionId: decodePart(questionId),
    parameters: new Map(parsedUrl?.searchParams),
  };
}

function decodePart(part: string | undefined): string | undefined {
  try {
    return toIdText(decodeURIComponent(part ?? ""));
  } catch {
    // The part contains a stray percent sign. Use it undecoded.
    return toIdText(part);
  }
}

/** Reports whether the header has the form `<client name> <version>`. */
const isClientHeader = (header = ""): boolean => /\S\s+\S/.test(header);

const isNumber = (id: string | undefined): boolean => /^\d+$/.test(id ?? "");

type RequestMembers = Omit<ParsedRequest, "isWellFormed" | "hasClientHeader" | "json">;

const requirements: Readonly<Record<ConversationOperation, (sent: SentRequest, members: RequestMembers) => boolean>> = {
  create: hasQuestion,
  get: (_, { conversationId }) => isNumber(conversationId),
  list: (_, { parameters }) => [...parameters].every(isWellFormedListParameter),
  "follow-up": (sent, members) => hasQuestion(sent, members) && hasMatchingIds(sent, members),
  cancel: (_, { conversationId, questionId }) => isNumber(conversationId) && isNumber(questionId),
  delete: (_, { conversationId }) => isNumber(conversationId),
};

function hasQuestion(sent: SentRequest, { question = "" }: RequestMembers): boolean {
  return hasJsonObject(sent) && question.trim() !== "";
}

function hasMatchingIds({ json }: SentRequest, { conversationId, bodyConversationId }: RequestMembers): boolean {
  const id = member(json, "conversation_id");
  return isNumber(conversationId) && bodyConversationId === conversationId && typeof id === "number";
}

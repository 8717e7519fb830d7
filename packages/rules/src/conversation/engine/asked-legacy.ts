import { defined, legacyPath, sortOrders } from "@assay/contract";
import { member, stringMember, idMember, idText } from "@assay/reading";
import { hasJsonObject } from "./asked.ts";
import type { Asked, SentRequest } from "./asked.ts";
import type { ConversationOperation } from "./conversation-operation.ts";

const isId = (value: string): boolean => /^\d+$/.test(value);
const isText = (value: string): boolean => value !== "";

const documentedValues: ReadonlyMap<string, (value: string) => boolean> = new Map([
  ["filter_id", isId],
  ["filter_user_id", isId],
  ["filter_read_token", isText],
  ["filter_is_starred", (value) => value === "true" || value === "false"],
  ["page_first", (value) => /^[1-9]\d*$/.test(value)],
  ["page_after", isText],
  ["sort", (value) => sortOrders.some((order) => order === value)],
]);

/**
 * Whether a parameter of a legacy list is documented and its value has the documented form. Source: conversation-api,
 * section 4.1.
 */
const isDocumentedListParameter = ([name, value]: readonly [name: string, value: string]): boolean =>
  documentedValues.get(name)?.(value) ?? false;

/** The path after the base path: ids and the word between them. */
interface LegacyAddress {
  readonly conversation: string | undefined;
  readonly questionId: string | undefined;
  readonly parameters: ReadonlyMap<string, string>;
}

/** Reads a request of the legacy interface. Source: conversation-api, sections 4.1 and 5. */
export function askedLegacy(sent: SentRequest): Omit<Asked, "hasClientHeader" | "json"> {
  const { conversation, questionId, parameters } = addressOf(sent.request.url);
  const question = stringMember(sent.json, "question");
  const bodyConversation = idMember(sent.json, "conversation_id");
  const asked = {
    parameters,
    ...defined({ conversation, questionId, question, bodyConversation }),
  };
  return { ...asked, hasGoodForm: hasClientShape(sent.clientHeader) && demands[sent.operation](sent, asked) };
}

function addressOf(url: string): LegacyAddress {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  const path = parsed?.pathname ?? "";
  const at = path.lastIndexOf(legacyPath);
  const [, conversation, , questionId] = at === -1 ? [] : path.slice(at + legacyPath.length).split("/");
  return {
    conversation: decoded(conversation),
    questionId: decoded(questionId),
    parameters: new Map(parsed?.searchParams),
  };
}

function decoded(part: string | undefined): string | undefined {
  try {
    return idText(decodeURIComponent(part ?? ""));
  } catch {
    // A stray percent sign: the part unchanged.
    return idText(part);
  }
}

/** Whether the header has the form `<client name> <version>`. */
const hasClientShape = (header = ""): boolean => /\S\s+\S/.test(header);

const isNumber = (id: string | undefined): boolean => /^\d+$/.test(id ?? "");

type AskedMembers = Omit<Asked, "hasGoodForm" | "hasClientHeader" | "json">;

const demands: Readonly<Record<ConversationOperation, (sent: SentRequest, asked: AskedMembers) => boolean>> = {
  create: hasQuestion,
  get: (_, { conversation }) => isNumber(conversation),
  list: (_, { parameters }) => [...parameters].every(isDocumentedListParameter),
  "follow-up": (sent, asked) => hasQuestion(sent, asked) && hasOneId(sent, asked),
  cancel: (_, { conversation, questionId }) => isNumber(conversation) && isNumber(questionId),
  delete: (_, { conversation }) => isNumber(conversation),
};

function hasQuestion(sent: SentRequest, { question = "" }: AskedMembers): boolean {
  return hasJsonObject(sent) && question.trim() !== "";
}

function hasOneId({ json }: SentRequest, { conversation, bodyConversation }: AskedMembers): boolean {
  const id = member(json, "conversation_id");
  return isNumber(conversation) && bodyConversation === conversation && typeof id === "number";
}

import { currentRequestNames, defined } from "@assay/contract";
import {
  member,
  stringMember,
  wireString,
  parseConversationName,
  lastPart,
  inputText,
  arrayMember,
} from "@assay/reading";
import type { CurrentRequestRole } from "@assay/contract";
import { hasJsonObject } from "./parsed-request.ts";
import type { ParsedRequest, SentRequest } from "./parsed-request.ts";
import type { ConversationOperation } from "./conversation-operation.ts";

/**
 * Parses a request of the current interface. Only the schema of a creation is documented. Source: conversation-api,
 * section 4.2.
 */
export function parseCurrentRequest(sent: SentRequest): Omit<ParsedRequest, "hasClientHeader" | "json"> {
  const { operation } = sent;
  const name = operation === "create" || operation === "list" ? undefined : findResourceName(sent.json, operation);
  const question = findQuestionText(sent.json, operation);
  const conversationId = name === undefined ? undefined : lastPart(name);
  const members = {
    parameters: readParameters(sent.json),
    ...defined({ conversationId, name, question }),
  };
  return { ...members, isWellFormed: hasJsonObject(sent) && requirements[operation](sent.json, members) };
}

/** Returns the member name that the request uses for a role, or undefined. */
export function findRequestMember(json: unknown, role: CurrentRequestRole): string | undefined {
  return currentRequestNames[role].find((name) => member(json, name) !== undefined);
}

/**
 * Returns the name of the requested conversation. Follow-ups send it as their parent, or in members with other names.
 */
const findResourceName = (json: unknown, operation: ConversationOperation): string | undefined =>
  currentRequestNames[operation === "follow-up" ? "followUpParent" : "name"]
    .map((name) => stringMember(json, name))
    .find((name) => name !== undefined);

function findQuestionText(json: unknown, operation: ConversationOperation): string | undefined {
  const [firstQuestion] = arrayMember(member(json, "conversation"), "questions");
  return operation === "create"
    ? inputText(firstQuestion)
    : (inputText(member(json, "question")) ?? stringMember(json, "question") ?? inputText(firstQuestion));
}

function readParameters(json: unknown): ReadonlyMap<string, string> {
  const namesByParameter = [
    ["pageSize", findRequestMember(json, "size")],
    ["pageToken", findRequestMember(json, "cursor")],
    ["parent", "parent"],
  ] as const;
  return new Map(
    namesByParameter.flatMap(([parameter, name]) => {
      const value = name === undefined ? undefined : member(json, name);
      return typeof value === "string" || typeof value === "number" ? [[parameter, String(value)] as const] : [];
    }),
  );
}

/** Reports whether the parent is omitted or the literal for the authenticated user. */
const hasOwnParent = (json: unknown): boolean => ["users/~self", undefined].includes(wireString(json, "parent"));

type RequestMembers = Pick<ParsedRequest, "name" | "question" | "parameters">;

const requirements: Readonly<Record<ConversationOperation, (json: unknown, members: RequestMembers) => boolean>> = {
  create: (json, members) => hasOwnParent(json) && hasQuestion(members),
  get: (_, members) => hasName(members),
  list: (json, { parameters }) => hasOwnParent(json) && /^[1-9]\d*$/.test(parameters.get("pageSize") ?? "1"),
  "follow-up": (_, members) => hasName(members) && hasQuestion(members),
  cancel: (_, members) => hasName(members),
  delete: (_, members) => hasName(members),
};

function hasName({ name = "" }: RequestMembers): boolean {
  return parseConversationName(name) !== undefined;
}

function hasQuestion({ question = "" }: RequestMembers): boolean {
  return question.trim() !== "";
}

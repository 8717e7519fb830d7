import {
  defined,
  member,
  stringMember,
  wireMember,
  wireString,
  conversationName,
  lastPart,
  inputText,
  arrayMember,
} from "@assay/contract";
import { hasJsonObject } from "./asked.ts";
import type { Asked, SentRequest } from "./asked.ts";
import type { ConversationOperation } from "./conversation-operation.ts";

/** Reads a request of the current interface, whose schemas but for creation are not shown. Source: conversation-api, section 4.2. */
export function askedCurrent(sent: SentRequest): Omit<Asked, "hasClientHeader" | "json"> {
  const { operation } = sent;
  const name = operation === "create" || operation === "list" ? undefined : nameIn(sent.json, operation);
  const question = questionIn(sent.json, operation);
  const conversation = name === undefined ? undefined : lastPart(name);
  const asked = {
    parameters: parametersOf(sent.json),
    ...defined({ conversation, name, question }),
  };
  return { ...asked, hasGoodForm: hasJsonObject(sent) && demands[operation](sent.json, asked) };
}

/** A follow-up names the conversation as its parent; other places are open too. */
function nameIn(json: unknown, operation: ConversationOperation): string | undefined {
  const places =
    operation === "follow-up"
      ? [stringMember(json, "parent"), stringMember(json, "name"), stringMember(json, "conversation")]
      : [stringMember(json, "name")];
  return places.find((name) => name !== undefined);
}

function questionIn(json: unknown, operation: ConversationOperation): string | undefined {
  const [first] = arrayMember(member(json, "conversation"), "questions");
  return operation === "create"
    ? inputText(first)
    : (inputText(member(json, "question")) ?? stringMember(json, "question") ?? inputText(first));
}

function parametersOf(json: unknown): ReadonlyMap<string, string> {
  return new Map(
    ["pageSize", "pageToken", "parent"].flatMap((name) => {
      const value = wireMember(json, name)?.value;
      return typeof value === "string" || typeof value === "number" ? [[name, String(value)] as const] : [];
    }),
  );
}

/** The literal that stands for the user who asks. */
const hasOwnParent = (json: unknown): boolean => ["users/~self", undefined].includes(wireString(json, "parent"));

type AskedMembers = Pick<Asked, "name" | "question" | "parameters">;

const demands: Readonly<Record<ConversationOperation, (json: unknown, asked: AskedMembers) => boolean>> = {
  create: (json, asked) => hasOwnParent(json) && hasQuestion(asked),
  get: (_, asked) => hasName(asked),
  list: (json, { parameters }) => hasOwnParent(json) && /^[1-9]\d*$/.test(parameters.get("pageSize") ?? "1"),
  "follow-up": (_, asked) => hasName(asked) && hasQuestion(asked),
  cancel: (_, asked) => hasName(asked),
  delete: (_, asked) => hasName(asked),
};

function hasName({ name = "" }: AskedMembers): boolean {
  return conversationName(name) !== undefined;
}

function hasQuestion({ question = "" }: AskedMembers): boolean {
  return question.trim() !== "";
}

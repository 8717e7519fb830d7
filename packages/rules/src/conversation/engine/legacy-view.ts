import { statsMembers } from "@assay/contract";
import { member } from "../../engine/json-value.ts";
import type { JsonRecord } from "../../engine/json-value.ts";
import type { ConversationView, QuestionView } from "./conversation-view.ts";
import { idMember } from "./identifier.ts";
import { arrayMember, stringMember } from "./wire-member.ts";

/** Reads a legacy conversation, whatever its members are. Source: conversation-api, section 2.1. */
export function legacyConversation(json: JsonRecord, pointer: string): ConversationView {
  const id = idMember(json, "id");
  return {
    ...(id === undefined ? {} : { id }),
    ...timesOf(json),
    questions: arrayMember(json, "questions").map((question, index) =>
      legacyQuestion(question, `${pointer}/questions/${index}`),
    ),
    json,
    pointer,
  };
}

/** Reads a legacy question, whatever its members are. Source: conversation-api, section 2.2. */
export function legacyQuestion(json: unknown, pointer: string): QuestionView {
  const id = idMember(json, "id");
  const conversationId = idMember(json, "conversation_id");
  const text = stringMember(json, "question");
  const status = stringMember(json, "status");
  const answer = stringMember(json, "answer");
  return {
    ...(id === undefined ? {} : { id }),
    ...(conversationId === undefined ? {} : { conversationId }),
    ...(text === undefined ? {} : { text }),
    ...(status === undefined ? {} : { status }),
    ...(answer === undefined ? {} : { answer }),
    ...timesOf(json),
    facts: factsOf(json),
    json,
    pointer,
  };
}

function timesOf(json: unknown): Pick<QuestionView, "createdAt" | "updatedAt"> {
  const createdAt = stringMember(json, "created_at");
  const updatedAt = stringMember(json, "updated_at");
  return { ...(createdAt === undefined ? {} : { createdAt }), ...(updatedAt === undefined ? {} : { updatedAt }) };
}

const isThere = (value: unknown): boolean => value !== undefined && value !== null;

function factsOf(json: unknown): ReadonlySet<string> {
  const stats = member(json, "stats");
  const facts: readonly (readonly [string, boolean])[] = [
    ["answer", isThere(member(json, "answer")) && member(json, "answer") !== ""],
    ["title", isThere(member(json, "title"))],
    ["sources", isThere(member(json, "sources"))],
    ["stats", isThere(stats)],
    ["stats-not-zero", statsMembers.some((name) => isOtherNumber(member(stats, name)))],
    ["followups", isThere(member(json, "suggested_followups"))],
    ["error", isThere(member(json, "error"))],
  ];
  return new Set(facts.flatMap(([name, holds]) => (holds ? [name] : [])));
}

const isOtherNumber = (value: unknown): boolean => typeof value === "number" && value !== 0;

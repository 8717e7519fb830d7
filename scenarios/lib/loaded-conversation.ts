import { defined } from "@assay/contract";
import { isExhaustionCode, isRecord, member, readConversation, stringMember, unwrapResource } from "@assay/reading";
import type { ConversationView } from "@assay/reading";
import type { ConversationInterface } from "./conversation-calls.ts";

/** The parts of a response that a load reads. */
export interface LoadedConversation {
  /** Id or name. Absent if missing or unsafe to send back. */
  readonly id?: string;
  /** The state as the target sent it. */
  readonly state?: string;
  /** Texts of its questions. */
  readonly texts: readonly string[];
  /** The time of its last update as the target sent it. */
  readonly updated?: string;
  readonly hasError: boolean;
  /** True if a quota, an entitlement or a rate limit is used up. More questions would only take what others need. */
  readonly isUsedUp: boolean;
}

const legacyId = /^-?\d{1,40}$/u;
const currentName = /^[\x21-\x7e]{1,300}$/u;

/** Reads the members that differ between the interfaces. Source: conversation-api, sections 2.1, 2.2, 2.4 and 7. */
function readParts(name: ConversationInterface, view: ConversationView) {
  const question = view.questions.at(-1);
  if (name === "legacy") {
    const error = member(question?.json, "error");
    const id = legacyId.test(view.id ?? "") ? view.id : undefined;
    return { id, state: question?.status, updated: question?.updatedAt, error, reason: stringMember(error, "kind") };
  }
  const error = member(member(view.json, "state"), "error");
  const id = currentName.test(view.name ?? "") ? view.name : undefined;
  return { id, state: view.state, updated: view.updatedAt, error, reason: stringMember(error, "code") };
}

/** Reads a response of one interface. Never fails. */
export function loadedConversation(name: ConversationInterface, answer: unknown): LoadedConversation {
  const { json } = unwrapResource(answer, "conversation");
  const view = readConversation(name, isRecord(json) ? json : {}, "");
  const { id, state, updated, error, reason } = readParts(name, view);
  const hasError = error !== undefined && error !== null;
  return {
    ...defined({ id, state, updated }),
    texts: view.questions.map(({ text = "" }) => text),
    hasError,
    isUsedUp: hasError && isExhaustionCode(reason),
  };
}

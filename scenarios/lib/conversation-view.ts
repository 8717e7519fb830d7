import { exactDigits } from "@assay/contract";
import type { ConversationInterface } from "./conversation-calls.ts";
import { elementsOf, member } from "./json-member.ts";

/** What an answer tells about a conversation, as far as load has to know. */
export interface ConversationView {
  /** Id or name, fit to be sent back. Absent where none was told. */
  readonly id?: string;
  /** As sent; absent where there is none. */
  readonly state?: string;
  /** Of its questions. */
  readonly texts: readonly string[];
  /** Of its last update, as sent. */
  readonly updated?: string;
  /** Whether it ended with an error. */
  readonly hasError: boolean;
  /** Whether it ended because a quota, an entitlement or a rate is used up: asking on would only take what others need. */
  readonly isUsedUp: boolean;
}

const usedUp = /quota|entitlement|rate_?limit/iu;

const text = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined);

const given = (value: unknown): boolean => value !== undefined && value !== null;

interface Parts {
  readonly id: string | undefined;
  readonly state: string | undefined;
  readonly texts: readonly unknown[];
  readonly updated: string | undefined;
  readonly error: unknown;
  readonly reason: string | undefined;
}

const viewOf = ({ id, state, texts, updated, error, reason }: Parts): ConversationView => ({
  ...(id === undefined ? {} : { id }),
  ...(state === undefined ? {} : { state }),
  ...(updated === undefined ? {} : { updated }),
  texts: texts.map((value) => text(value) ?? ""),
  hasError: given(error),
  isUsedUp: given(error) && usedUp.test(reason ?? ""),
});

/** The digits of an id of any size, as they were sent. */
function legacyId(json: unknown): string | undefined {
  const value = exactDigits(json, "id") ?? member(json, "id");
  const digits = typeof value === "number" && Number.isSafeInteger(value) ? String(value) : text(value);
  return digits !== undefined && /^\d{1,40}$/u.test(digits) ? digits : undefined;
}

/** Source: conversation-api, sections 2.1, 2.2 and 7. */
function legacyView(json: unknown): ConversationView {
  const question = elementsOf(member(json, "questions")).at(-1);
  const error = member(question, "error");
  return viewOf({
    id: legacyId(json),
    state: text(member(question, "status")),
    texts: elementsOf(member(json, "questions")).map((asked) => member(asked, "question")),
    updated: text(member(question, "updated_at")),
    error,
    reason: text(member(error, "kind")),
  });
}

/** The key of an object that has only one. */
function onlyKey(value: unknown): string | undefined {
  const keys = typeof value === "object" && value !== null && !Array.isArray(value) ? Object.keys(value) : [];
  return keys.length === 1 ? keys[0] : undefined;
}

/** Source: conversation-api, sections 2.4 and 7. */
function currentView(json: unknown): ConversationView {
  const name = text(member(json, "name"));
  const error = member(member(json, "state"), "error");
  return viewOf({
    id: name !== undefined && /^[\x21-\x7e]{1,300}$/u.test(name) ? name : undefined,
    state: onlyKey(member(json, "state")),
    texts: elementsOf(member(json, "questions")).flatMap((asked) =>
      elementsOf(member(asked, "input")).map((input) => member(member(input, "question"), "text")),
    ),
    updated: text(member(json, "updateTime") ?? member(json, "update_time")),
    error,
    reason: text(member(error, "code")),
  });
}

/** Reads an answer of that interface. Never fails. */
export const conversationView = (name: ConversationInterface, json: unknown): ConversationView =>
  name === "legacy" ? legacyView(json) : currentView(json);

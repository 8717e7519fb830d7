import { legacyPath } from "@assay/contract";
import type { Dialect, PlainCall } from "./dialect.ts";
import { integerText, legacyConversation } from "./driven-conversation.ts";

type Asked = Pick<PlainCall, "operation" | "method"> & Partial<PlainCall>;

const call = (path: string, options: Asked): PlainCall => ({
  interface: "legacy",
  path: legacyPath + path,
  ...options,
});

const creation = (body: string): PlainCall => call("", { operation: "create", method: "POST", body });

/** Source: conversation-api, section 4.1. */
export const legacyList = (query: readonly (readonly [name: string, value: string])[]): PlainCall =>
  call("", { operation: "list", method: "GET", query });

/**
 * A follow-up question for the conversation in the path. The body must name the same one to be accepted. Ids are digits and are written
 * to the body unchanged; a JavaScript number would round them.
 */
export const legacyFollowUp = (id: string, bodyId: string, question: string): PlainCall =>
  call(`/${id}/questions`, {
    operation: "follow-up",
    method: "POST",
    body: `{"conversation_id":${bodyId},"question":${JSON.stringify(question)}}`,
  });

/** A follow-up without a question. */
export const legacyFollowUpWithout = (id: string): PlainCall =>
  call(`/${id}/questions`, {
    operation: "follow-up",
    method: "POST",
    body: `{"conversation_id":${id}}`,
  });

export const legacyCancel = (id: string, question: string): PlainCall =>
  call(`/${id}/questions/${question}/cancel`, { operation: "cancel", method: "POST" });

const bodiesWithout = { question: "{}", text: '{"question":5}', json: '{"question": ' } as const;

/** The legacy interface. `read` returns only integer ids, so paths need no encoding. Source: conversation-api, section 4.1. */
export const legacyDialect: Dialect = {
  interface: "legacy",
  create: (question) => creation(JSON.stringify({ question })),
  createWithout: (member) => creation(bodiesWithout[member]),
  get: (id) => call(`/${id}`, { operation: "get", method: "GET" }),
  followUp: (id, question) => legacyFollowUp(id, id, question),
  cancel: (id, lastQuestion) => (lastQuestion === undefined ? undefined : legacyCancel(id, lastQuestion)),
  delete: (id) => call(`/${id}`, { operation: "delete", method: "DELETE" }),
  list: ({ size, cursor, order } = {}) =>
    legacyList([
      ...(order === undefined ? [] : [["sort", order] as const]),
      ...(size === undefined ? [] : [["page_first", String(size)] as const]),
      ...(cursor === undefined ? [] : [["page_after", cursor] as const]),
    ]),
  read: legacyConversation,
  fromOther: (name) => integerText(name.slice(name.lastIndexOf("/") + 1)),
  // Fits 32 bits. A larger one might be refused for its size.
  unknownId: "2147483647",
};

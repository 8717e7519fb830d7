import { legacyPath } from "@assay/contract";
import type { Dialect, PlainCall } from "./dialect.ts";
import { normalizeInteger, readLegacyConversation } from "./driven-conversation.ts";

type CallOptions = Pick<PlainCall, "operation" | "method"> & Partial<PlainCall>;

const createCall = (path: string, options: CallOptions): PlainCall => ({
  interface: "legacy",
  path: legacyPath + path,
  ...options,
});

const createConversation = (body: string): PlainCall => createCall("", { operation: "create", method: "POST", body });

/** Creates a list request. Source: conversation-api, section 4.1. */
export const createLegacyList = (query: readonly (readonly [name: string, value: string])[]): PlainCall =>
  createCall("", { operation: "list", method: "GET", query });

/**
 * Creates a follow-up question for the conversation in the path. The body must name the same one to be accepted. Ids are digits and are
 * written to the body unchanged; a JavaScript number would round them.
 */
export const createLegacyFollowUp = (id: string, bodyId: string, question: string): PlainCall =>
  createCall(`/${id}/questions`, {
    operation: "follow-up",
    method: "POST",
    body: `{"conversation_id":${bodyId},"question":${JSON.stringify(question)}}`,
  });

/** Creates a follow-up without a question. */
export const createFollowUpWithoutQuestion = (id: string): PlainCall =>
  createCall(`/${id}/questions`, {
    operation: "follow-up",
    method: "POST",
    body: `{"conversation_id":${id}}`,
  });

export const createLegacyCancel = (id: string, question: string): PlainCall =>
  createCall(`/${id}/questions/${question}/cancel`, { operation: "cancel", method: "POST" });

const invalidBodies = { question: "{}", text: '{"question":5}', json: '{"question": ' } as const;

/** The legacy interface. `read` returns only integer ids, so paths need no encoding. Source: conversation-api, section 4.1. */
export const legacyDialect: Dialect = {
  interface: "legacy",
  create: (question) => createConversation(JSON.stringify({ question })),
  createInvalid: (defect) => createConversation(invalidBodies[defect]),
  get: (id) => createCall(`/${id}`, { operation: "get", method: "GET" }),
  followUp: (id, question) => createLegacyFollowUp(id, id, question),
  cancel: (id, lastQuestion) => (lastQuestion === undefined ? undefined : createLegacyCancel(id, lastQuestion)),
  delete: (id) => createCall(`/${id}`, { operation: "delete", method: "DELETE" }),
  list: ({ size, cursor, order } = {}) =>
    createLegacyList([
      ...(order === undefined ? [] : [["sort", order] as const]),
      ...(size === undefined ? [] : [["page_first", String(size)] as const]),
      ...(cursor === undefined ? [] : [["page_after", cursor] as const]),
    ]),
  read: readLegacyConversation,
  convertId: (name) => normalizeInteger(name.slice(name.lastIndexOf("/") + 1)),
  // Fits 32 bits. A larger one might be refused for its size.
  unknownId: "2147483647",
};

import { currentPath, currentProcedures, legacyPath } from "@assay/contract";

/** The two interfaces of the conversation API. */
export type ConversationInterface = "legacy" | "current";

/** One call before it is sent. */
export interface ConversationCall {
  readonly operation: "create" | "poll" | "delete";
  readonly method: "GET" | "POST" | "DELETE";
  /** Relative to the base URL. Values from the target are percent-encoded. */
  readonly path: string;
  /** JSON. */
  readonly body?: string;
}

/** The calls of one interface. */
export interface ConversationCalls {
  create(question: string): ConversationCall;
  get(id: string): ConversationCall;
  delete(id: string): ConversationCall;
  /** Headers of every call. */
  readonly headers: Readonly<Record<string, string>>;
}

/** Source: conversation-api, sections 4.1 and 5. */
const legacy: ConversationCalls = {
  create: (question) => ({ operation: "create", method: "POST", path: legacyPath, body: JSON.stringify({ question }) }),
  get: (id) => ({ operation: "poll", method: "GET", path: `${legacyPath}/${encodeURIComponent(id)}` }),
  delete: (id) => ({ operation: "delete", method: "DELETE", path: `${legacyPath}/${encodeURIComponent(id)}` }),
  headers: { "X-Requested-With": "assay 0.1.0" },
};

const post = (operation: ConversationCall["operation"], procedure: string, message: object): ConversationCall => ({
  operation,
  method: "POST",
  path: `${currentPath}/${procedure}`,
  body: JSON.stringify(message),
});

/** Source: conversation-api, section 4.2. */
const current: ConversationCalls = {
  create: (text) =>
    post("create", currentProcedures.create, {
      parent: "users/~self",
      conversation: { questions: [{ input: [{ question: { text } }] }] },
    }),
  get: (name) => post("poll", currentProcedures.get, { name }),
  delete: (name) => post("delete", currentProcedures.delete, { name }),
  headers: {},
};

export const conversationCalls = (name: ConversationInterface): ConversationCalls => ({ legacy, current })[name];

/** Returns the text that ends each question of a run. `assay cleanup` finds conversations by it. */
export const markOf = (marker: string): string => `[assay run=${marker}]`;

export const markedQuestion = (text: string, marker: string): string => `${text} ${markOf(marker)}`;

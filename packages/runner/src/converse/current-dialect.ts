import { defined, currentPath, currentProcedures } from "@assay/contract";
import { readCurrentConversation } from "./driven-conversation.ts";
import type { Dialect, PlainCall } from "./dialect.ts";

const createCall = (operation: keyof typeof currentProcedures, message: object | string): PlainCall => ({
  interface: "current",
  operation,
  method: "POST",
  path: `${currentPath}/${currentProcedures[operation]}`,
  body: typeof message === "string" ? message : JSON.stringify(message),
});

const selfParent = "users/~self";

const toQuestion = (text: string | number): object => ({ input: [{ question: { text } }] });

const createConversation = (questions: readonly object[], parent = selfParent): PlainCall =>
  createCall("create", { parent, conversation: { questions } });

/** The current interface. Names appear only in bodies, unchanged. Source: conversation-api, section 4.2. */
export const currentDialect: Dialect = {
  interface: "current",
  create: (question, parent) => createConversation([toQuestion(question)], parent),
  createInvalid: (defect) =>
    defect === "json"
      ? createCall("create", '{"conversation": ')
      : createConversation(defect === "text" ? [toQuestion(5)] : []),
  get: (name) => createCall("get", { name }),
  followUp: (name, question) => createCall("follow-up", { parent: name, question: toQuestion(question) }),
  cancel: (name) => createCall("cancel", { name }),
  delete: (name) => createCall("delete", { name }),
  list: ({ size, cursor, parent = selfParent } = {}) =>
    createCall("list", {
      parent,
      ...defined({ pageSize: size, pageToken: cursor }),
    }),
  read: readCurrentConversation,
  convertId: (id) => `${selfParent}/conversations/${id}`,
  unknownId: `${selfParent}/conversations/2147483647`,
};

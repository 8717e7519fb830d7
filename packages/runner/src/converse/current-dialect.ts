import { defined, currentPath, currentProcedures } from "@assay/contract";
import { currentConversation } from "./driven-conversation.ts";
import type { Dialect, PlainCall } from "./dialect.ts";

const call = (operation: keyof typeof currentProcedures, message: object | string): PlainCall => ({
  interface: "current",
  operation,
  method: "POST",
  path: `${currentPath}/${currentProcedures[operation]}`,
  body: typeof message === "string" ? message : JSON.stringify(message),
});

const self = "users/~self";

const asQuestion = (text: string | number): object => ({ input: [{ question: { text } }] });

const creation = (questions: readonly object[]): PlainCall =>
  call("create", { parent: self, conversation: { questions } });

/** The current interface. Names appear only in bodies, unchanged. Source: conversation-api, section 4.2. */
export const currentDialect: Dialect = {
  interface: "current",
  create: (question) => creation([asQuestion(question)]),
  createWithout: (member) =>
    member === "json" ? call("create", '{"conversation": ') : creation(member === "text" ? [asQuestion(5)] : []),
  get: (name) => call("get", { name }),
  followUp: (name, question) => call("follow-up", { parent: name, question: asQuestion(question) }),
  cancel: (name) => call("cancel", { name }),
  delete: (name) => call("delete", { name }),
  list: ({ size, cursor } = {}) =>
    call("list", {
      parent: self,
      ...defined({ pageSize: size, pageToken: cursor }),
    }),
  read: currentConversation,
  fromOther: (id) => `${self}/conversations/${id}`,
  unknownId: `${self}/conversations/2147483647`,
};

// The procedures of the current interface that a client with one question needs, described without generated code.
import { create, createFileRegistry } from "@bufbuild/protobuf";
import {
  FieldDescriptorProto_Label,
  FieldDescriptorProto_Type,
  FileDescriptorProtoSchema,
} from "@bufbuild/protobuf/wkt";
import { createClient } from "@connectrpc/connect";
import { createConnectTransport } from "@connectrpc/connect-node";

const messages = {
  Conversation: [
    ["name", "string"],
    ["state", "State"],
    ["questions", "Question", "repeated"],
  ],
  State: [
    ["processing", "Empty", "oneof"],
    ["completed", "Empty", "oneof"],
    ["error", "Error", "oneof"],
    ["canceled", "Empty", "oneof"],
  ],
  Empty: [],
  Error: [
    ["code", "string"],
    ["message", "string"],
  ],
  Question: [
    ["input", "Input", "repeated"],
    ["answer", "Answer", "repeated"],
  ],
  Input: [["question", "Text", "oneof"]],
  Answer: [["markdown", "Text", "oneof"]],
  Text: [["text", "string"]],
  CreateConversationRequest: [
    ["parent", "string"],
    ["conversation", "Conversation"],
  ],
  NameRequest: [["name", "string"]],
};

const procedures = {
  CreateConversation: "CreateConversationRequest",
  GetConversation: "NameRequest",
  CancelConversation: "NameRequest",
};

const describeField = ([name, type, label], index) => ({
  name,
  jsonName: name,
  number: index + 1,
  label: label === "repeated" ? FieldDescriptorProto_Label.REPEATED : FieldDescriptorProto_Label.OPTIONAL,
  ...(type === "string"
    ? { type: FieldDescriptorProto_Type.STRING }
    : { type: FieldDescriptorProto_Type.MESSAGE, typeName: `.deepsearch.v1.${type}` }),
  ...(label === "oneof" ? { oneofIndex: 0 } : {}),
});

const file = create(FileDescriptorProtoSchema, {
  name: "deepsearch/v1/service.proto",
  package: "deepsearch.v1",
  syntax: "proto3",
  messageType: Object.entries(messages).map(([name, fields]) => ({
    name,
    field: fields.map(describeField),
    oneofDecl: fields.some(([, , label]) => label === "oneof") ? [{ name: "kind" }] : [],
  })),
  service: [
    {
      name: "Service",
      method: Object.entries(procedures).map(([name, input]) => ({
        name,
        inputType: `.deepsearch.v1.${input}`,
        outputType: ".deepsearch.v1.Conversation",
      })),
    },
  ],
});

const service = createFileRegistry(file, () => undefined).getService("deepsearch.v1.Service");

const withToken = (next) => (request) => {
  request.header.set("Authorization", `token ${process.env.SRC_ACCESS_TOKEN}`);
  return next(request);
};

/** A client of the service at SRC_ENDPOINT. */
export const deepsearch = createClient(
  service,
  createConnectTransport({
    baseUrl: `${process.env.SRC_ENDPOINT}/api`,
    httpVersion: "1.1",
    useBinaryFormat: false,
    jsonOptions: { ignoreUnknownFields: true },
    interceptors: [withToken],
  }),
);

/** The request that asks one question. */
export const creation = (text) => ({
  parent: "users/~self",
  conversation: { questions: [{ input: [{ kind: { case: "question", value: { text } } }] }] },
});

/** Reports whether the trial uses the current interface. */
export const isForUs = ["ask", "cancel"].includes(process.env.ASSAY_TASK) && process.env.ASSAY_INTERFACE === "current";

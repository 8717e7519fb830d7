import { create, createFileRegistry, type DescMethod, type DescMethodUnary } from "@bufbuild/protobuf";
import {
  FieldDescriptorProto_Label as Label,
  FieldDescriptorProto_Type as Type,
  FileDescriptorProtoSchema,
  file_google_protobuf_timestamp,
} from "@bufbuild/protobuf/wkt";

interface Field {
  readonly name: string;
  /** `string`, `int32`, `bool`, or the name of a message; with dots for other packages. */
  readonly type: string;
  readonly repeated?: boolean;
  readonly oneof?: true;
}

const scalars: Readonly<Record<string, Type>> = { string: Type.STRING, int32: Type.INT32, bool: Type.BOOL };

const timestamp = "google.protobuf.Timestamp";

const messages: Readonly<Record<string, readonly Field[]>> = {
  Conversation: [
    { name: "name", type: "string" },
    { name: "state", type: "State" },
    { name: "create_time", type: timestamp },
    { name: "update_time", type: timestamp },
    { name: "title", type: "string" },
    { name: "questions", type: "Question", repeated: true },
    { name: "url", type: "string" },
  ],
  ConversationSummary: [
    { name: "name", type: "string" },
    { name: "create_time", type: timestamp },
    { name: "update_time", type: timestamp },
    { name: "title", type: "string" },
    { name: "url", type: "string" },
  ],
  State: [
    { name: "processing", type: "Empty", oneof: true },
    { name: "completed", type: "Empty", oneof: true },
    { name: "error", type: "Error", oneof: true },
    { name: "canceled", type: "Empty", oneof: true },
  ],
  Empty: [],
  Error: [
    { name: "code", type: "string" },
    { name: "message", type: "string" },
    { name: "retry_time", type: timestamp },
  ],
  Question: [
    { name: "input", type: "Input", repeated: true },
    { name: "answer", type: "Answer", repeated: true },
    { name: "create_time", type: timestamp },
  ],
  Input: [{ name: "question", type: "Text", oneof: true }],
  Answer: [{ name: "markdown", type: "Text", oneof: true }],
  Text: [{ name: "text", type: "string" }],
  Filter: [
    { name: "content_query", type: "string", oneof: true },
    { name: "starred", type: "bool", oneof: true },
  ],
  CreateConversationRequest: [
    { name: "parent", type: "string" },
    { name: "conversation", type: "Conversation" },
  ],
  NameRequest: [{ name: "name", type: "string" }],
  AddConversationQuestionRequest: [
    { name: "parent", type: "string" },
    { name: "question", type: "Question" },
  ],
  ListConversationSummariesRequest: [
    { name: "parent", type: "string" },
    { name: "page_size", type: "int32" },
    { name: "page_token", type: "string" },
    { name: "filters", type: "Filter", repeated: true },
  ],
  ListConversationSummariesResponse: [
    { name: "conversation_summaries", type: "ConversationSummary", repeated: true },
    { name: "next_page_token", type: "string" },
  ],
};

/** Input and output of each procedure. */
const procedures: Readonly<Record<string, readonly [string, string]>> = {
  CreateConversation: ["CreateConversationRequest", "Conversation"],
  GetConversation: ["NameRequest", "Conversation"],
  ListConversationSummaries: ["ListConversationSummariesRequest", "ListConversationSummariesResponse"],
  AddConversationQuestion: ["AddConversationQuestionRequest", "Question"],
  CancelConversation: ["NameRequest", "Conversation"],
  DeleteConversation: ["NameRequest", "Empty"],
};

const packageName = "deepsearch.v1";

const typeName = (name: string): string => (name.includes(".") ? `.${name}` : `.${packageName}.${name}`);

const fieldOf = ({ name, oneof, repeated = false, type }: Field, index: number) => {
  const scalar = scalars[type];
  return {
    name,
    jsonName: name.replace(/_(\w)/gu, (_, letter: string) => letter.toUpperCase()),
    number: index + 1,
    label: repeated ? Label.REPEATED : Label.OPTIONAL,
    ...(scalar === undefined ? { type: Type.MESSAGE, typeName: typeName(type) } : { type: scalar }),
    ...(oneof === undefined ? {} : { oneofIndex: 0 }),
  };
};

const file = create(FileDescriptorProtoSchema, {
  name: "deepsearch/v1/service.proto",
  package: packageName,
  syntax: "proto3",
  dependency: ["google/protobuf/timestamp.proto"],
  messageType: Object.entries(messages).map(([name, fields]) => ({
    name,
    field: fields.map(fieldOf),
    oneofDecl: fields.some(({ oneof }) => oneof) ? [{ name: "kind" }] : [],
  })),
  service: [
    {
      name: "Service",
      method: Object.entries(procedures).map(([name, [input, output]]) => ({
        name,
        inputType: typeName(input),
        outputType: typeName(output),
      })),
    },
  ],
});

const service = createFileRegistry(file, () => file_google_protobuf_timestamp).getService(`${packageName}.Service`);

const isUnary = (method: DescMethod): method is DescMethodUnary => method.methodKind === "unary";

/** A procedure of the current interface for a generated client, as real instances define it. */
export const deepsearchMethod = (name: string): DescMethodUnary => {
  const method = service?.methods.filter(isUnary).find((each) => each.name === name);
  if (method === undefined) {
    throw new Error(`there is no procedure ${name}`);
  }
  return method;
};

import { type ApiAnswer, textAnswer } from "../../service/conversation/api/api-answer.ts";
import type { ApiCall, ApiOperation } from "../../service/conversation/api/api-call.ts";
import { type ConnectCode, createConnectError } from "../../service/conversation/current/connect-error.ts";
import { isPayloadObject, type PayloadObject } from "../../service/payload.ts";
import type { ConversationEffect } from "../conversation-effect.ts";
import type { FaultRun } from "../fault-run.ts";
import type { Variants } from "../fault.ts";

export type InterfaceName = ApiCall["interface"];

export const interfaces: readonly InterfaceName[] = ["legacy", "current"];

/** Selects calls. */
export type CallTest = (call: ApiCall) => boolean;

/** Selects calls of an interface with one of `operations`, or all calls if `operations` is empty. */
export const selectCalls =
  (name: InterfaceName, ...operations: readonly ApiOperation[]): CallTest =>
  (call) =>
    call.interface === name && (operations.length === 0 || operations.includes(call.operation));

/** Selects calls that return a conversation or one of its questions. Excludes lists. */
export const returnsConversation = (name: InterfaceName): CallTest =>
  selectCalls(name, "create", "get", "follow-up", "cancel");

/** Selects calls that pass every test. */
export const passesAll =
  (...tests: readonly CallTest[]): CallTest =>
  (call) =>
    tests.every((isSelected) => isSelected(call));

export const everyCall = passesAll();

/** Selects calls with this credential. */
export const withCredential =
  (credential: ApiCall["credential"]): CallTest =>
  (call) =>
    call.credential === credential;

/** Selects calls with the access token of the main user. */
export const byMainUser = withCredential("access");
/** Selects calls with the access token of another user. */
export const byOtherUser = withCredential("other");

/** Selects legacy lists whose parameters pass a test. */
export const listsWhere = (isSelected: (parameters: URLSearchParams) => boolean): CallTest =>
  passesAll(selectCalls("legacy", "list"), ({ parameters }) => isSelected(parameters));

/** Selects legacy lists that have at least these parameters. */
export const listsWith = (...parameters: readonly string[]): CallTest =>
  listsWhere((queryParameters) => parameters.every((name) => queryParameters.has(name)));

/** Selects legacy lists without parameters. */
export const plainLists = listsWhere(({ size }) => size === 0);

/** Selects lists filtered by a read token and requested by another user. */
export const sharedLists = passesAll(listsWith("filter_read_token"), byOtherUser);

/** Selects lists of the current interface without paging and filters. */
export const unpagedLists: CallTest = passesAll(
  selectCalls("current", "list"),
  ({ json }) => !isPayloadObject(json) || Object.keys(json).every((name) => name === "parent"),
);

/** Creates variants whose values equal their names. */
export const namedVariants = <Name extends string>(...names: readonly Name[]): Variants<Name> =>
  Object.fromEntries(names.map((name) => [name, name]));

/** A call, and the run of the fault on it. */
export interface CallContext {
  readonly call: ApiCall;
  readonly run: FaultRun;
}

/** Changes a value. Returns the same value if no change is needed. */
export type Change<Value> = (value: Value, context: CallContext) => Value;

type ChangingPort = "admit" | "request" | "list" | "page" | "apply";
type ValueAt<Port extends ChangingPort> = Parameters<NonNullable<ConversationEffect[Port]>>[0];

/** Changes the value at one port for selected calls, and records the change in the journal. */
const changeAtPort =
  <Port extends ChangingPort>(port: Port) =>
  (isSelected: CallTest, change: Change<ValueAt<Port>>): ConversationEffect => ({
    layer: "conversation",
    [port]: (value: ValueAt<Port>, call: ApiCall, run: FaultRun) => {
      const changedValue = isSelected(call) ? change(value, { call, run }) : value;
      if (changedValue !== value) {
        run.recordChange();
      }
      return changedValue;
    },
  });

/** Changes the access decision. */
export const changeAccess = changeAtPort("admit");
/** Changes the parsed request body. */
export const changeRequest = changeAtPort("request");
/** Changes the query of a list. */
export const changeListQuery = changeAtPort("list");
/** Changes the page of a list. */
export const changePage = changeAtPort("page");
/** Changes responses of any status. */
export const changeAnswer = changeAtPort("apply");

export const isSuccess = ({ status }: ApiAnswer): boolean => status >= 200 && status < 300;

/** Replaces the body of a response with JSON. */
export const withJson = ({ headers, status }: ApiAnswer, json: unknown): ApiAnswer => ({ status, headers, json });

/** Changes the JSON of a response. Returns the same object if no change is needed. */
export type JsonEdit = (json: PayloadObject, context: CallContext) => unknown;

/** Edits the JSON of successful responses. */
export const editJson = (isSelected: CallTest, edit: JsonEdit): ConversationEffect =>
  changeAnswer(isSelected, (answer, context) => {
    const json = isSuccess(answer) && isPayloadObject(answer.json) ? edit(answer.json, context) : answer.json;
    return json === answer.json ? answer : withJson(answer, json);
  });

/** Replaces successful responses. A response is unchanged if the function returns undefined. */
export const replaceAnswer = (
  isSelected: CallTest,
  replace: (answer: ApiAnswer, context: CallContext) => ApiAnswer | undefined,
): ConversationEffect =>
  changeAnswer(isSelected, (answer, context) => (isSuccess(answer) ? (replace(answer, context) ?? answer) : answer));

const connectCodes: Readonly<Record<number, ConnectCode>> = {
  401: "unauthenticated",
  403: "permission_denied",
  404: "not_found",
};

/** Creates a refusal with a message in the format of the interface. */
export const refusal = (name: InterfaceName, status: number, message: string): ApiAnswer =>
  name === "legacy"
    ? textAnswer(status, message)
    : { ...createConnectError(connectCodes[status] ?? "invalid_argument", message), status };

export type AnswerCreator = (call: Pick<ApiCall, "interface" | "conversationId">) => ApiAnswer;

/** A refusal whose message does not mention the token. */
const createRefusal =
  (status: number): AnswerCreator =>
  ({ interface: name }) =>
    refusal(name, status, "This is not possible at the moment.");

/** Creates refusals with these statuses. */
export const refusals = (...statuses: readonly number[]): Variants<AnswerCreator> =>
  Object.fromEntries(statuses.map((status) => [`status-${status}`, createRefusal(status)]));

/** Replaces responses that would have this status. */
export const replaceStatus = (status: number, isSelected: CallTest, createAnswer: AnswerCreator): ConversationEffect =>
  changeAnswer(isSelected, (answer, { call }) => (answer.status === status ? createAnswer(call) : answer));

/** Creates a response without a body. */
export const emptyAnswer = (status: number, headers: ApiAnswer["headers"] = {}) => ({ status, headers, text: "" });

/** Creates an empty response with the content type of JSON. */
export const emptyJson = (status: number): ApiAnswer => emptyAnswer(status, { "content-type": "application/json" });

/** The sign-in page of a web interface. */
export const htmlPage: ApiAnswer = {
  status: 200,
  headers: { "content-type": "text/html; charset=utf-8" },
  text: "<!doctype html>\n<html><head><title>Sign in</title></head><body><h1>Sign in to continue</h1></body></html>\n",
};

/** Refusals of calls that must succeed. */
export const plainRefusals = refusals(400, 404);

/** Refusals, and responses that do not come from the service. */
export const allRefusals: Variants<AnswerCreator> = {
  ...refusals(400),
  redirect: () => emptyAnswer(302, { location: "/sign-in" }),
  page: () => htmlPage,
};

/** Bodies that are not a conversation. */
export const nonConversations: Variants<(answer: ApiAnswer) => ApiAnswer> = {
  empty: ({ status }) => emptyJson(status),
  list: ({ headers, json, status }) => ({ status, headers, json: [json] }),
  "cut-json": ({ headers, json, status }) => ({ status, headers, text: JSON.stringify(json).slice(0, -1) }),
};

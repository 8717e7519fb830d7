import { type ApiAnswer, textAnswer } from "../../service/conversation/api/api-answer.ts";
import type { ApiCall, ApiOperation } from "../../service/conversation/api/api-call.ts";
import { type ConnectCode, connectError } from "../../service/conversation/current/connect-error.ts";
import { isPayloadObject, type PayloadObject } from "../../service/payload.ts";
import type { ConversationEffect } from "../conversation-effect.ts";
import type { FaultRun } from "../fault-run.ts";
import type { Variants } from "../fault.ts";

export type InterfaceName = ApiCall["interface"];

/** Both interfaces. */
export const interfaces: readonly InterfaceName[] = ["legacy", "current"];

/** Which calls are meant. */
export type CallTest = (call: ApiCall) => boolean;

/** The calls of an interface, of all operations unless some are named. */
export const callsOf =
  (name: InterfaceName, ...operations: readonly ApiOperation[]): CallTest =>
  (call) =>
    call.interface === name && (operations.length === 0 || operations.includes(call.operation));

/** The calls of an interface whose answers show a conversation or a question of one, lists excepted. */
export const showing = (name: InterfaceName): CallTest => callsOf(name, "create", "get", "follow-up", "cancel");

/** The calls for which every test holds. */
export const allOf =
  (...tests: readonly CallTest[]): CallTest =>
  (call) =>
    tests.every((isMeant) => isMeant(call));

/** All calls. */
export const everyCall = allOf();

/** Calls that identify themselves by this. */
export const by =
  (credential: ApiCall["credential"]): CallTest =>
  (call) =>
    call.credential === credential;

/** Calls with the token that may do everything. */
export const ofTheUser = by("access");
/** Calls with the token of another user. */
export const ofAnother = by("other");

/** Legacy lists by what they are asked for with. */
export const listsWhere = (isMeant: (parameters: URLSearchParams) => boolean): CallTest =>
  allOf(callsOf("legacy", "list"), ({ parameters }) => isMeant(parameters));

/** Legacy lists that are asked for with these parameters, and maybe more. */
export const listsWith = (...parameters: readonly string[]): CallTest =>
  listsWhere((given) => parameters.every((name) => given.has(name)));

/** Legacy lists that are asked for with nothing in particular. */
export const plainLists = listsWhere(({ size }) => size === 0);

/** Lists by a read token of another user. */
export const sharedReads = allOf(listsWith("filter_read_token"), ofAnother);

/** Lists of the current interface that ask for no page in particular. */
export const wholeLists: CallTest = allOf(
  callsOf("current", "list"),
  ({ json }) => !isPayloadObject(json) || Object.keys(json).every((name) => name === "parent"),
);

/** Variants that are their names. */
export const named = <Name extends string>(...names: readonly Name[]): Variants<Name> =>
  Object.fromEntries(names.map((name) => [name, name]));

/** A call in which a fault takes hold, and the run of the fault in it. */
export interface CallContext {
  readonly call: ApiCall;
  readonly run: FaultRun;
}

/** Makes something else of what would happen; the same again where there is nothing to change. */
export type Change<Value> = (value: Value, context: CallContext) => Value;

type ChangingPort = "admit" | "request" | "list" | "page" | "apply";
type ValueAt<Port extends ChangingPort> = Parameters<NonNullable<ConversationEffect[Port]>>[0];

/** Effects at one port on the calls that are meant. Where something is changed, the journal is told. */
const changingAt =
  <Port extends ChangingPort>(port: Port) =>
  (isMeant: CallTest, change: Change<ValueAt<Port>>): ConversationEffect => ({
    layer: "conversation",
    [port]: (value: ValueAt<Port>, call: ApiCall, run: FaultRun) => {
      const other = isMeant(call) ? change(value, { call, run }) : value;
      if (other !== value) {
        run.applied();
      }
      return other;
    },
  });

/** Changes who may call. */
export const admitting = changingAt("admit");
/** Changes the body as it is read. */
export const reading = changingAt("request");
/** Changes what is listed. */
export const listing = changingAt("list");
/** Changes the page that was found. */
export const paging = changingAt("page");
/** Changes the answer, whatever its status. */
export const answering = changingAt("apply");

/** Whether an answer is one of success. */
export const isSuccess = ({ status }: ApiAnswer): boolean => status >= 200 && status < 300;

/** The answer with another JSON body; however the body was written before. */
export const withJson = ({ headers, status }: ApiAnswer, json: unknown): ApiAnswer => ({ status, headers, json });

/** Makes other JSON of a part of an answer; the same object again where there is nothing to change. */
export type JsonEdit = (json: PayloadObject, context: CallContext) => unknown;

/** Edits the JSON of successful answers. */
export const editing = (isMeant: CallTest, edit: JsonEdit): ConversationEffect =>
  answering(isMeant, (answer, context) => {
    const json = isSuccess(answer) && isPayloadObject(answer.json) ? edit(answer.json, context) : answer.json;
    return json === answer.json ? answer : withJson(answer, json);
  });

/** Puts another answer in the place of every successful one; `undefined` leaves it. */
export const replacing = (
  isMeant: CallTest,
  replace: (answer: ApiAnswer, context: CallContext) => ApiAnswer | undefined,
): ConversationEffect =>
  answering(isMeant, (answer, context) => (isSuccess(answer) ? (replace(answer, context) ?? answer) : answer));

const codes: Readonly<Record<number, ConnectCode>> = {
  401: "unauthenticated",
  403: "permission_denied",
  404: "not_found",
};

/** A refusal with a message, in the form of the interface. */
export const refusal = (name: InterfaceName, status: number, message: string): ApiAnswer =>
  name === "legacy"
    ? textAnswer(status, message)
    : { ...connectError(codes[status] ?? "invalid_argument", message), status };

/** Another answer to a call. */
export type OtherAnswer = (call: Pick<ApiCall, "interface" | "conversation">) => ApiAnswer;

/** A refusal that does not say a word about the token. */
const refusing =
  (status: number): OtherAnswer =>
  ({ interface: name }) =>
    refusal(name, status, "This is not possible at the moment.");

/** Refusals with these statuses. */
export const refusals = (...statuses: readonly number[]): Variants<OtherAnswer> =>
  Object.fromEntries(statuses.map((status) => [`status-${status}`, refusing(status)]));

/** Answers otherwise where the answer would have this status. */
export const insteadOf = (status: number, isMeant: CallTest, other: OtherAnswer): ConversationEffect =>
  answering(isMeant, (answer, { call }) => (answer.status === status ? other(call) : answer));

/** An answer without a body. */
export const emptyAnswer = (status: number, headers: ApiAnswer["headers"] = {}) => ({ status, headers, text: "" });

/** What calls itself JSON and has nothing in it. */
export const emptyJson = (status: number): ApiAnswer => emptyAnswer(status, { "content-type": "application/json" });

/** A page of a web interface. */
export const htmlPage: ApiAnswer = {
  status: 200,
  headers: { "content-type": "text/html; charset=utf-8" },
  text: "<!doctype html>\n<html><head><title>Sign in</title></head><body><h1>Sign in to continue</h1></body></html>\n",
};

/** Variants to refuse what has to be done. */
export const plainRefusals = refusals(400, 404);

/** Variants to refuse, and answers that do not come from the service. */
export const allRefusals: Variants<OtherAnswer> = {
  ...refusals(400),
  redirect: () => emptyAnswer(302, { location: "/sign-in" }),
  page: () => htmlPage,
};

/** Bodies that are no conversation. */
export const noConversations: Variants<(answer: ApiAnswer) => ApiAnswer> = {
  empty: ({ status }) => emptyJson(status),
  list: ({ headers, json, status }) => ({ status, headers, json: [json] }),
  "cut-json": ({ headers, json, status }) => ({ status, headers, text: JSON.stringify(json).slice(0, -1) }),
};

import { type ApiAnswer, textAnswer } from "../../conversation/api/api-answer.ts";
import type { ApiCall, ApiOperation } from "../../conversation/api/api-call.ts";
import { connectError, type ConnectCode } from "../../conversation/current/connect-error.ts";
import { isPayloadObject, type PayloadObject } from "../../payload.ts";
import type { ConversationEffect } from "../conversation-effect.ts";
import type { FaultRun } from "../fault-run.ts";

export type InterfaceName = ApiCall["interface"];

/** Which calls are meant. */
export type CallTest = (call: ApiCall) => boolean;

/** Operations whose answers show a conversation or a question of one, lists excepted. */
export const showing: readonly ApiOperation[] = ["create", "get", "follow-up", "cancel"];

/** The calls of an interface, of all operations unless some are named. */
export const callsOf =
  (name: InterfaceName, ...operations: readonly ApiOperation[]): CallTest =>
  (call) =>
    call.interface === name && (operations.length === 0 || operations.includes(call.operation));

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

/** Legacy lists that are asked for with these parameters, and maybe more. */
export const listsWith = (...parameters: readonly string[]): CallTest =>
  allOf(callsOf("legacy", "list"), (call) => parameters.every((name) => call.parameters.has(name)));

/** Lists by a read token of another user. */
export const sharedReads = allOf(listsWith("filter_read_token"), ofAnother);

/** Lists of the current interface that ask for no page in particular. */
export const wholeLists: CallTest = allOf(
  callsOf("current", "list"),
  ({ json }) => !isPayloadObject(json) || Object.keys(json).every((name) => name === "parent"),
);

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

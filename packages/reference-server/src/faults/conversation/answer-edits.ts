import { connectError } from "../../conversation/current/connect-error.ts";
import type { ConnectCode } from "../../conversation/current/connect-error.ts";
import { textAnswer } from "../../conversation/api/api-answer.ts";
import type { ApiAnswer } from "../../conversation/api/api-answer.ts";
import type { ApiCall, ApiOperation } from "../../conversation/api/api-call.ts";
import { isPayloadObject } from "../../payload.ts";
import type { PayloadObject } from "../../payload.ts";
import type { ConversationEffect } from "../conversation-effect.ts";
import type { FaultRun } from "../fault-run.ts";

export type InterfaceName = ApiCall["interface"];

/** A call that is being answered, and the run of the fault in it. */
export interface EditContext {
  readonly call: ApiCall;
  readonly run: FaultRun;
}

/** Makes another JSON of an answer; the same object again where there is nothing to change. */
type AnswerEdit = (json: PayloadObject, context: EditContext) => unknown;

/** Which calls are meant; of both interfaces and all operations without a word about them. */
interface CallChoice {
  readonly interface?: InterfaceName;
  readonly operations?: readonly ApiOperation[];
}

/** Operations whose answers show a conversation or a question of one, lists excepted. */
export const showing: readonly ApiOperation[] = ["create", "get", "follow-up", "cancel"];

/** Whether a call is one of those meant. */
export const isMeant = (call: ApiCall, { interface: name, operations }: CallChoice): boolean =>
  (name === undefined || call.interface === name) && (operations === undefined || operations.includes(call.operation));

/** Whether an answer is one of success. */
export const isSuccess = ({ status }: ApiAnswer): boolean => status >= 200 && status < 300;

/** The answer with another JSON body; however the body was written before. */
export const withJson = ({ headers, status }: ApiAnswer, json: unknown): ApiAnswer => ({ status, headers, json });

/** The JSON of an answer after an edit, which is told to the journal where it changed something. */
export const edited = (answer: ApiAnswer, edit: AnswerEdit, context: EditContext): ApiAnswer => {
  const json = isPayloadObject(answer.json) ? edit(answer.json, context) : answer.json;
  if (json === answer.json) {
    return answer;
  }
  context.run.applied();
  return withJson(answer, json);
};

/** Edits the JSON of all successful answers to the calls that are meant. */
export const editAnswers = (choice: CallChoice, edit: AnswerEdit): ConversationEffect => ({
  layer: "conversation",
  apply: (answer, call, run) =>
    isSuccess(answer) && isMeant(call, choice) ? edited(answer, edit, { call, run }) : answer,
});

/** Puts another answer in the place of every successful one to the calls that are meant; `undefined` leaves it. */
export const replaceAnswers = (
  choice: CallChoice,
  replace: (answer: ApiAnswer, context: EditContext) => ApiAnswer | undefined,
): ConversationEffect => ({
  layer: "conversation",
  apply: (answer, call, run) => {
    const other = isSuccess(answer) && isMeant(call, choice) ? replace(answer, { call, run }) : undefined;
    if (other !== undefined) {
      run.applied();
    }
    return other ?? answer;
  },
});

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

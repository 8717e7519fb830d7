import type { ApiAnswer } from "../../conversation/api/api-answer.ts";
import type { ApiCall, ApiOperation } from "../../conversation/api/api-call.ts";
import type { ConversationEffect } from "../conversation-effect.ts";
import { type Fault, type FaultParameter, disrupting } from "../fault.ts";
import { htmlPage } from "./refusal-variants.ts";

const operations: readonly ApiOperation[] = ["get"];

const operationParameter: Readonly<Record<"operation", FaultParameter>> = {
  operation: { title: "calls of which operation", default: "all", choices: ["all", ...operations] },
};

const isHit = ({ operation }: ApiCall, wanted: unknown): boolean =>
  wanted === undefined || wanted === "all" || wanted === operation;

/** Does something to every answer of the operation, whatever it says. */
const toAnswers = (break_: (answer: ApiAnswer) => ApiAnswer): ConversationEffect => ({
  layer: "conversation",
  apply: (answer, call, run) => {
    if (!isHit(call, run.values["operation"])) {
      return answer;
    }
    run.applied();
    return break_(answer);
  },
});

const bare = (status: number, headers: Readonly<Record<string, string>> = {}): ApiAnswer => ({
  status,
  headers: { "content-type": "text/plain; charset=utf-8", ...headers },
  text: "",
});

/** Of the calls of one operation, or of all. */
const broken = (id: string, description: string, break_: (answer: ApiAnswer) => ApiAnswer): Fault =>
  disrupting(id)(description, toAnswers(break_), operationParameter);

/** Faults below the conversation API: answers that do not come, or not from the service. */
export const connectionFaults: readonly Fault[] = [
  broken("conversation-status-500", "Calls of the conversation API are answered with status 500 and no body.", () =>
    bare(500),
  ),
  broken(
    "conversation-rate-limited",
    "Calls of the conversation API are answered with status 429 and the wish for another try in a second.",
    () => bare(429, { "retry-after": "1" }),
  ),
  broken(
    "conversation-html-200",
    "Calls of the conversation API are answered with an HTML page and status 200.",
    () => htmlPage,
  ),
  broken(
    "conversation-reset",
    "Calls of the conversation API end with a reset before any byte of the answer.",
    (answer) => ({ ...answer, connection: "reset" }),
  ),
  broken(
    "conversation-truncated",
    "The connection is closed after one half of the body that the head announced.",
    (answer) => ({ ...answer, connection: "cut" }),
  ),
  disrupting("conversation-silence")(
    "Calls of the conversation API are taken, and nothing is sent; the connection stays open.",
    toAnswers((answer) => ({ ...answer, connection: "silence" })),
  ),
];

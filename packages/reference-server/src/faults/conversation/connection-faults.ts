import type { ApiAnswer } from "../../conversation/api/api-answer.ts";
import type { ApiCall, ApiOperation } from "../../conversation/api/api-call.ts";
import type { ConversationEffect } from "../conversation-effect.ts";
import type { Fault, FaultParameter } from "../fault.ts";
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

interface Broken {
  readonly id: string;
  readonly title: string;
  readonly description: string;
  readonly change: (answer: ApiAnswer) => ApiAnswer;
}

const broken: readonly Broken[] = [
  {
    id: "conversation-status-500",
    title: "a bare status 500",
    description: "Calls of the conversation API are answered with status 500 and no body.",
    change: () => bare(500),
  },
  {
    id: "conversation-rate-limited",
    title: "a limit of requests that is always exceeded",
    description: "Calls of the conversation API are answered with status 429 and the wish for another try in a second.",
    change: () => bare(429, { "retry-after": "1" }),
  },
  {
    id: "conversation-html-200",
    title: "a sign-in page instead of conversations",
    description: "Calls of the conversation API are answered with an HTML page and status 200.",
    change: () => htmlPage,
  },
  {
    id: "conversation-reset",
    title: "the connection is reset at once",
    description: "Calls of the conversation API end with a reset before any byte of the answer.",
    change: (answer) => ({ ...answer, connection: "reset" }),
  },
  {
    id: "conversation-truncated",
    title: "the answer ends in its middle",
    description: "The connection is closed after one half of the body that the head announced.",
    change: (answer) => ({ ...answer, connection: "cut" }),
  },
];

/** Faults below the conversation API: answers that do not come, or not from the service. */
export const connectionFaults: readonly Fault[] = [
  ...broken.map(({ change, ...text }): Fault => ({
    ...text,
    kind: "transport",
    parameters: operationParameter,
    ...toAnswers(change),
  })),
  {
    id: "conversation-silence",
    title: "no answer at all",
    description: "Calls of the conversation API are taken, and nothing is sent; the connection stays open.",
    kind: "transport",
    ...toAnswers((answer) => ({ ...answer, connection: "silence" })),
  },
];

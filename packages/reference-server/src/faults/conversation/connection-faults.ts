import type { ApiAnswer } from "../../conversation/api/api-answer.ts";
import { type Fault, disrupting, legal, oneOf } from "../fault.ts";
import { answering, type CallTest, everyCall } from "./call-effects.ts";
import { emptyAnswer, htmlPage } from "./refusal-variants.ts";
import { countUp } from "./seen-conversations.ts";

const textType = { "content-type": "text/plain; charset=utf-8" };

const isRead: CallTest = ({ operation }) => operation === "get";

/** What becomes of the answers to all calls, or of those to one operation, whatever they say. */
const broken = (id: string, description: string, break_: (answer: ApiAnswer) => ApiAnswer): Fault =>
  disrupting(id)(
    description,
    oneOf({ all: everyCall, get: isRead }, (calls) => answering(calls, break_), [
      "operation",
      "calls of which operation",
    ]),
  );

/** Faults below the conversation API: answers that do not come, or not from the service. */
export const connectionFaults: readonly Fault[] = [
  broken("conversation-status-500", "Calls of the conversation API are answered with status 500 and no body.", () =>
    emptyAnswer(500, textType),
  ),
  broken(
    "conversation-rate-limited",
    "Calls of the conversation API are answered with status 429 and the wish for another try in a second.",
    () => emptyAnswer(429, { ...textType, "retry-after": "1" }),
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
    answering(everyCall, (answer) => ({ ...answer, connection: "silence" })),
  ),
  legal("conversation-rate-limited-once")(
    "The third read is answered with status 429 and the wish for another try at once.",
    answering(isRead, (answer, { run }) =>
      countUp(run, "reads") === 3 ? emptyAnswer(429, { ...textType, "retry-after": "0" }) : answer,
    ),
  ),
];

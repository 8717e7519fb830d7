import type { ConversationLoad, LoadPlan } from "@assay/results";
import { converse } from "./conversation-flow.ts";
import type { CallAnswer, ConversationWorld } from "./conversation-flow.ts";
import type { Task } from "./iteration.ts";
import { PlanError } from "./plan-error.ts";
import type { Recorder } from "./recorder.ts";
import { countConversation } from "./script-metrics.ts";
import http from "k6/http";
import { setTimeout } from "k6/timers";
import { conversationCalls } from "./conversation-calls.ts";
import type { ConversationInterface } from "./conversation-calls.ts";
import { headersFor } from "./credentials.ts";
import { headOf } from "./k6-answer.ts";

/** Returns the side effects of conversations over k6's own HTTP client. Call it in k6's init code. */
function createK6World({ timeoutMs }: LoadPlan, name: ConversationInterface, recorder: Recorder): ConversationWorld {
  const headers = { base: headersFor(__ENV, "base"), head: headersFor(__ENV, "head") };
  const interfaceHeaders = conversationCalls(name).headers;
  return {
    recorder,
    sleepMs: (ms) =>
      new Promise((resolve) => {
        setTimeout(resolve, ms);
      }),
    async send({ target, iteration: { side } }, { method, path, body, operation }, poller): Promise<CallAnswer> {
      // A fragment is not sent. `k6/x/assay` reads the sender from it when it keeps exchanges.
      const sender = poller === 0 ? "" : `#${poller + 1}`;
      const response = await http.asyncRequest(method, `${target}${path}${sender}`, body ?? null, {
        headers: {
          ...headers[side],
          ...interfaceHeaders,
          Accept: "application/json",
          ...(body === undefined ? {} : { "Content-Type": "application/json" }),
        },
        timeout: timeoutMs,
        redirects: 0,
        responseType: "text",
        // Without this tag each conversation would be its own series of metrics.
        tags: { name: operation },
      });
      return { ...headOf(response), text: typeof response.body === "string" ? response.body : "" };
    },
  };
}

export function conversationOf({ conversation, scenario }: LoadPlan): ConversationLoad {
  if (conversation === undefined) {
    throw new PlanError(`The plan of ${scenario} has no part \`conversation\`, so there are no questions to ask.`);
  }
  return conversation;
}

/** Returns the function that runs one conversation. Call it in k6's init code. */
export function conversationIteration(plan: LoadPlan, recorder: Recorder): (task: Task) => Promise<void> {
  const load = conversationOf(plan);
  const world = createK6World(plan, load.interface, recorder);
  return async (task) => {
    countConversation(await converse(world, task, load));
  };
}

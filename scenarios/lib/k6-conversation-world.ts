import type { LoadPlan } from "@assay/results";
import { sleep } from "k6";
import http from "k6/http";
import type { ConversationInterface } from "./conversation-calls.ts";
import { conversationCalls } from "./conversation-calls.ts";
import type { CallAnswer, ConversationWorld } from "./conversation-flow.ts";
import { headersFor } from "./credentials.ts";
import { headOf } from "./k6-answer.ts";
import type { Recorder } from "./recorder.ts";

/** What conversations need, by k6's own HTTP client. To be made in k6's init code. */
export function k6ConversationWorld(
  { timeoutMs }: LoadPlan,
  name: ConversationInterface,
  recorder: Recorder,
): ConversationWorld {
  const headers = { a: headersFor(__ENV, "a"), b: headersFor(__ENV, "b") };
  const own = conversationCalls(name).headers;
  return {
    recorder,
    sleepMs: (ms) => sleep(ms / 1000),
    send({ target, iteration: { arm } }, { method, path, body, operation }): CallAnswer {
      const response = http.request(method, `${target}${path}`, body ?? null, {
        headers: {
          ...headers[arm],
          ...own,
          Accept: "application/json",
          ...(body === undefined ? {} : { "Content-Type": "application/json" }),
        },
        timeout: timeoutMs,
        redirects: 0,
        responseType: "text",
        // Without a name of its own every conversation would become a series of metrics.
        tags: { name: operation },
      });
      return { ...headOf(response), text: typeof response.body === "string" ? response.body : "" };
    },
  };
}

import type { ConversationLoad, LoadPlan } from "@assay/results";
import { converse } from "./conversation-flow.ts";
import type { Task } from "./iteration.ts";
import { k6ConversationWorld } from "./k6-conversation-world.ts";
import { PlanError } from "./plan-error.ts";
import type { Recorder } from "./recorder.ts";
import { countConversation } from "./script-metrics.ts";

/** The part of a plan that is about conversations. */
export function conversationOf({ conversation, scenario }: LoadPlan): ConversationLoad {
  if (conversation === undefined) {
    throw new PlanError(`The plan of ${scenario} has no part \`conversation\`, so it is not known what to ask.`);
  }
  return conversation;
}

/** Conversations by k6's HTTP client. To be made in k6's init code. */
export function talker(plan: LoadPlan, recorder: Recorder): (task: Task) => void {
  const load = conversationOf(plan);
  const world = k6ConversationWorld(plan, load.interface, recorder);
  return (task) => {
    countConversation(converse(world, task, load));
  };
}

// Conversations over the interface of the plan: created, polled until they end, deleted.
import { assayRecorder } from "./lib/assay-recorder.ts";
import { assayScript } from "./lib/assay-script.ts";
import { conversationIteration } from "./lib/conversation-load.ts";
import { conversationFlow } from "./lib/load-flows.ts";
import { readPlan } from "./lib/read-plan.ts";

const plan = readPlan("conversation-poll");
const flow = conversationFlow(plan);
const script = assayScript(plan, [flow]);

export const options = script.options;
export const handleSummary = script.handleSummary;
export const conversation = script.iteration(flow, conversationIteration(plan, assayRecorder));

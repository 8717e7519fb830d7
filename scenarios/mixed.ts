// Searches, and a tenth as many conversations.
import { assayRecorder } from "./lib/assay-recorder.ts";
import { assayScript } from "./lib/assay-script.ts";
import { conversationIteration } from "./lib/conversation-load.ts";
import { searchFlow, sideConversationFlow } from "./lib/load-flows.ts";
import { readPlan } from "./lib/read-plan.ts";
import { searcher } from "./lib/search-flow.ts";

const plan = readPlan("mixed");
const searches = searchFlow(plan);
const conversations = sideConversationFlow(plan);
const script = assayScript(plan, [searches, conversations]);

export const options = script.options;
export const handleSummary = script.handleSummary;
export const search = script.iteration(searches, searcher(plan, assayRecorder));
export const conversation = script.iteration(conversations, conversationIteration(plan, assayRecorder));

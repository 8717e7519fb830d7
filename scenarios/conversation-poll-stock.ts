// Conversations with a stock k6: the same flow, without samples, histograms and ledger.
import { conversationOf, talker } from "./lib/conversation-load.ts";
import { conversationFlow } from "./lib/load-flows.ts";
import { loadScript } from "./lib/load-script.ts";
import { readPlan } from "./lib/read-plan.ts";
import { stockCounted } from "./lib/stock-counted.ts";
import { stockRecorder } from "./lib/stock-recorder.ts";

const plan = readPlan("conversation-poll-stock");
const flow = conversationFlow(plan);
const recorder = stockRecorder(conversationOf(plan).budget);
const script = loadScript({ plan, flows: [flow], recorder, reader: "stock", counted: stockCounted });

export const options = script.options;
export const handleSummary = script.handleSummary;
export const conversation = script.iteration(flow, talker(plan, recorder));

// Searches with a stock k6: when the first byte and the last came. It cannot see a match, nor judge a stream.
import { firstByteSearcher } from "./lib/first-byte-flow.ts";
import { searchFlow } from "./lib/load-flows.ts";
import { loadScript } from "./lib/load-script.ts";
import { readPlan } from "./lib/read-plan.ts";
import { stockCounted } from "./lib/stock-counted.ts";
import { stockRecorder } from "./lib/stock-recorder.ts";

const plan = readPlan("search-first-byte");
const flow = searchFlow(plan);
const recorder = stockRecorder(0);
const script = loadScript({ plan, flows: [flow], recorder, reader: "stock", counted: stockCounted });

export const options = script.options;
export const handleSummary = script.handleSummary;
export const search = script.iteration(flow, firstByteSearcher(plan, recorder));

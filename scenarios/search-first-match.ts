// Searches, timed to the first match. Each stream is read to its end and checked.
import { assayRecorder } from "./lib/assay-recorder.ts";
import { assayScript } from "./lib/assay-script.ts";
import { searchFlow } from "./lib/load-flows.ts";
import { readPlan } from "./lib/read-plan.ts";
import { searcher } from "./lib/search-flow.ts";

const plan = readPlan("search-first-match");
const flow = searchFlow(plan);
const script = assayScript(plan, [flow]);

export const options = script.options;
export const handleSummary = script.handleSummary;
export const search = script.iteration(flow, searcher(plan, assayRecorder));

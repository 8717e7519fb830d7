import type { LoadPlan } from "@assay/results";
import { read } from "k6/x/assay";
import { headersFor } from "./credentials.ts";
import { heldBackSearch } from "./held-back-search.ts";
import type { Task } from "./iteration.ts";
import type { Recorder } from "./recorder.ts";
import { type SearchSettings, searchUrl } from "./search-url.ts";

/** Returns the function that runs one search. `k6/x/assay` reads, checks and records the stream. Call it in k6's init code. */
export function searcher(
  plan: LoadPlan,
  recorder: Recorder,
  settings: SearchSettings = {},
): (task: Task) => Promise<void> {
  const headers = { base: headersFor(__ENV, "base"), head: headersFor(__ENV, "head") };
  const { timeoutMs, maxEventBytes, gzip = false } = plan;
  return async (task) => {
    const { iteration, asked, target } = task;
    const { side, query } = iteration;
    if (recorder.holdBackMs(side) > 0) {
      recorder.record(heldBackSearch(task));
      return;
    }
    await read(searchUrl(target, asked.text, settings), {
      headers: headers[side],
      timeoutMs,
      maxEventBytes,
      gzip,
      tags: { name: "search", query },
      sample: iteration,
    });
  };
}

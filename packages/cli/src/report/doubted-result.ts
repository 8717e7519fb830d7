import type { RunResult } from "@assay/results";
import { isBetter, ownConclusion } from "./result-contradictions.ts";

/** A stored result whose evidence cannot be trusted, for the reason given; it ends no better for that, and never passes. */
export function doubtedResult(result: RunResult, message: string): RunResult {
  const doubted: RunResult = {
    ...result,
    incomplete: [{ code: "evidence-incomplete", message }, ...result.incomplete],
  };
  const own = ownConclusion(doubted);
  return isBetter(own.outcome, result.outcome) ? doubted : { ...doubted, ...own };
}

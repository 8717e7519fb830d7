import type { RuleId } from "@assay/contract";
import type { RecordedExchange } from "@assay/evidence";
import { judgeExchanges } from "@assay/runner";
import { tool } from "../version.ts";

/** The result of one seed of varied responses. */
export interface JudgedSeed {
  /** Rules that fail, warn or could not run, each with the seed that repeats it. */
  readonly broken: readonly string[];
  /** Rules that passed. */
  readonly seen: readonly string[];
}

/** Judges exchanges that were varied by a seed, strictly: no rule may fail on permitted behaviour. */
export function judgedSeed(exchanges: readonly RecordedExchange[], rules: readonly RuleId[], seed: number): JudgedSeed {
  const { verdicts } = judgeExchanges({
    exchanges,
    settings: { rules, mustTest: [], strict: true, access: "private", sharing: "on" },
    tool,
    run: { id: "seed", startedAt: "", target: "", embedded: true, profile: "gate", seed, strict: true },
  });
  const outcomeIs = (...wanted: readonly string[]) =>
    verdicts.filter(({ verdict }) => wanted.includes(verdict.outcome)).map(({ rule }) => rule);
  return {
    broken: outcomeIs("failed", "warned", "blocked").map((rule) => `seed ${seed}: ${rule}`),
    seen: outcomeIs("passed"),
  };
}

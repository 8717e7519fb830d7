import { defined, ruleIds } from "@assay/contract";
import type { RecordedExchange } from "@assay/evidence";
import type { RunResult } from "@assay/results";
import { judgeExchanges } from "../judge/judge-exchanges.ts";
import type { JudgeInput } from "../judge/judge-exchanges.ts";
import type { JudgeSettings } from "../judge/judge-settings.ts";

type Other = Partial<
  JudgeSettings &
    Pick<JudgeInput, "interrupted" | "treatsAllAsStreams"> & {
      readonly implementations: NonNullable<JudgeInput["rules"]>;
    }
>;

/** Judges these exchanges with every rule. */
export function resultOf(
  exchanges: readonly RecordedExchange[],
  { interrupted, treatsAllAsStreams, implementations, ...settings }: Other = {},
): RunResult {
  return judgeExchanges({
    exchanges,
    settings: { rules: ruleIds, mustTest: [], strict: false, access: "undeclared", ...settings },
    tool: { name: "assay", version: "0.0.0" },
    run: {
      id: "run-1",
      startedAt: "2026-01-02T03:04:05.000Z",
      target: "http://code.example",
      embedded: false,
      profile: "gate",
      seed: 1,
      strict: settings.strict ?? false,
    },
    ...defined({ interrupted, treatsAllAsStreams, rules: implementations }),
  });
}

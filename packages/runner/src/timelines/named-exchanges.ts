import type { RunResult } from "@assay/results";

/** Ids of the exchanges that violations name, each once, in the order of the verdicts. */
export function namedExchanges({ verdicts }: Pick<RunResult, "verdicts">): ReadonlySet<string> {
  const named = new Set<string>();
  for (const { verdict } of verdicts) {
    for (const { kind, exchange } of verdict.outcome === "failed" || verdict.outcome === "warned"
      ? verdict.findings
      : []) {
      if (kind === "violation" && exchange !== undefined) {
        named.add(exchange);
      }
    }
  }
  return named;
}

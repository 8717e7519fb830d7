import { defined } from "@assay/contract";
import type { FooterInfo, StopCause } from "@assay/evidence";
import type { CallerStop } from "./converse/caller.ts";
import type { ConverseEnd } from "./converse/converse.ts";

/** Describes what remains on the target, as clauses. Merges and counts equal clauses. */
function describeLeftovers({ leftovers }: ConverseEnd["cleanUp"]): string {
  const countByClause = new Map<string, number>();
  for (const { label, reason } of leftovers) {
    const clause = `${label}: ${reason}`;
    countByClause.set(clause, (countByClause.get(clause) ?? 0) + 1);
  }
  return [...countByClause].map(([clause, count]) => (count === 1 ? clause : `${clause} (${count} times)`)).join("; ");
}

const stopCauses = {
  deadline: "deadline",
  "broken-calls": "broken-searches",
  "not-recorded": "broken-searches",
  bail: "bail",
} as const satisfies Readonly<Record<Exclude<CallerStop["cause"], "interrupted">, StopCause>>;

/** Converts how a run's conversations ended to a footer. */
export function toFooter({ stop, cleanUp, skippedProbes }: ConverseEnd): FooterInfo {
  const leftovers = describeLeftovers(cleanUp);
  const endFacts = {
    ...(leftovers === "" ? {} : { left: leftovers }),
    ...(skippedProbes.length === 0 ? {} : { unsent: skippedProbes }),
  };
  if (stop === undefined) {
    return { ended: "complete", ...endFacts };
  }
  const { cause, reason } = stop;
  return cause === "interrupted"
    ? { ended: "interrupted", reason, ...endFacts }
    : { ended: "stopped", cause: stopCauses[cause], reason, ...endFacts };
}

/** Merges the footers of searches and conversations. An early end of the searches takes precedence. Adds what remains on the target. */
export function mergeFooters(searches: FooterInfo, conversations: FooterInfo): FooterInfo {
  const { ended, cause, reason } = searches.ended === "complete" ? conversations : searches;
  const { left } = conversations;
  const unsent = [...(searches.unsent ?? []), ...(conversations.unsent ?? [])];
  return { ended, ...defined({ cause, reason, left }), ...(unsent.length === 0 ? {} : { unsent }) };
}

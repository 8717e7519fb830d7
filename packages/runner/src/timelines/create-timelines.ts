import { defined } from "@assay/contract";
import type { Bundle, RecordedExchange } from "@assay/evidence";
import type { RunResult, RunTimelines } from "@assay/results";
import { judgeConversations } from "@assay/rules";
import type { ConversationEvidence } from "@assay/rules";
import { conversationInterfaces } from "../converse/dialect.ts";
import { readBodyBytes } from "../judge/body-bytes.ts";
import { findUnservedInterfaces } from "../judge/unserved-interfaces.ts";
import { selectConversationTimelines } from "./conversation-timelines.ts";
import { selectExchangeDetails } from "./exchange-details.ts";
import { findQuestions } from "./find-questions.ts";
import { createStateDiagram } from "./state-diagram.ts";
import type { StreamArrivals } from "./stream-arrival.ts";
import { selectStreamTimelines } from "./stream-timelines.ts";

/** Returns the distinct ids of exchanges in violations, in verdict order. */
function findCitedIds({ verdicts }: Pick<RunResult, "verdicts">): ReadonlySet<string> {
  const citedIds = new Set<string>();
  for (const { verdict } of verdicts) {
    for (const { kind, exchange } of verdict.outcome === "failed" || verdict.outcome === "warned"
      ? verdict.findings
      : []) {
      if (kind === "violation" && exchange !== undefined) {
        citedIds.add(exchange);
      }
    }
  }
  return citedIds;
}

/**
 * Returns the timelines for the report of a run. The same bundle and result yield the same timelines. The number of entries is limited,
 * so that runs of any size fit on a page. A stream with an unreadable body has no lanes. Accepts any content from a target. Fails with
 * `body-unreadable` if a body changes while it is read. `arrivals` makes it faster, and changes nothing.
 */
export function createTimelines(
  { manifest, exchanges }: Bundle,
  result: RunResult,
  arrivals: StreamArrivals = new Map(),
): RunTimelines {
  const citedIds = findCitedIds(result);
  const sortedExchanges = [...exchanges].sort((a, b) => (a.record.id < b.record.id ? -1 : 1));
  const evidence = readConversations(sortedExchanges);
  return {
    schemaVersion: 1,
    runId: manifest.runId,
    ...selectStreamTimelines(sortedExchanges, result, { citedIds, arrivals }),
    ...selectConversationTimelines(evidence, citedIds),
    diagrams: conversationInterfaces.flatMap((name) => {
      const questions = findQuestions(evidence, name);
      return questions.length === 0 ? [] : [createStateDiagram(name, questions, evidence.histories(name).findings)];
    }),
    ...selectExchangeDetails(sortedExchanges, citedIds),
  };
}

/** Selects the calls that are judged, and parses them in the same way as the judge. */
function readConversations(exchanges: readonly RecordedExchange[]): ConversationEvidence {
  const calls = exchanges.filter(({ record: { interface: name } }) => name === "legacy" || name === "current");
  const unservedNames = new Set<string>(findUnservedInterfaces(calls).map(({ interface: name }) => name));
  return judgeConversations({
    rules: [],
    target: { access: "undeclared", sharing: "undeclared" },
    calls: calls
      .filter(({ record }) => !unservedNames.has(record.interface))
      .map((exchange) => ({
        record: exchange.record,
        body: readBodyBytes(exchange),
        ...defined({ unreadable: exchange.unreadable }),
      })),
  }).evidence;
}

import { defined } from "@assay/contract";
import type { Bundle, RecordedExchange } from "@assay/evidence";
import type { RunResult, RunTimelines } from "@assay/results";
import { judgeConversations } from "@assay/rules";
import type { ConversationEvidence } from "@assay/rules";
import { conversationInterfaces } from "../converse/dialect.ts";
import { bodyBytes } from "../judge/body-bytes.ts";
import { unservedInterfaces } from "../judge/unserved-interfaces.ts";
import { conversationTimelines } from "./conversation-timelines.ts";
import { exchangeDetails } from "./exchange-details.ts";
import { findQuestions } from "./seen-questions.ts";
import { stateDiagram } from "./state-diagram.ts";
import { streamTimelines } from "./stream-timelines.ts";

/** Returns the distinct ids of exchanges in violations, in verdict order. */
function namedExchanges({ verdicts }: Pick<RunResult, "verdicts">): ReadonlySet<string> {
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
 * `body-unreadable` if a body changes while it is read.
 */
export function createTimelines({ manifest, exchanges }: Bundle, result: RunResult): RunTimelines {
  const citedIds = namedExchanges(result);
  const inOrder = [...exchanges].sort((a, b) => (a.record.id < b.record.id ? -1 : 1));
  const evidence = conversationsIn(inOrder);
  return {
    schemaVersion: 1,
    runId: manifest.runId,
    ...streamTimelines(inOrder, result, citedIds),
    ...conversationTimelines(evidence, citedIds),
    diagrams: conversationInterfaces.flatMap((name) => {
      const questions = findQuestions(evidence, name);
      return questions.length === 0 ? [] : [stateDiagram(name, questions, evidence.histories(name).findings)];
    }),
    ...exchangeDetails(inOrder, citedIds),
  };
}

/** Selects the calls that are judged, and parses them in the same way as the judge. */
function conversationsIn(exchanges: readonly RecordedExchange[]): ConversationEvidence {
  const calls = exchanges.filter(({ record: { interface: name } }) => name === "legacy" || name === "current");
  const unserved = new Set<string>(unservedInterfaces(calls).map(({ interface: name }) => name));
  return judgeConversations({
    rules: [],
    target: { access: "undeclared", sharing: "undeclared" },
    calls: calls
      .filter(({ record }) => !unserved.has(record.interface))
      .map((exchange) => ({
        record: exchange.record,
        body: bodyBytes(exchange),
        ...defined({ unreadable: exchange.unreadable }),
      })),
  }).evidence;
}

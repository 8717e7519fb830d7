import type { ExchangeRecord } from "@assay/evidence";
import { allRules, createEvidenceJudge } from "@assay/rules";
import type { StreamFacts, StreamJudge } from "@assay/rules";

/** The exchange that the streams of the benchmarks belong to: an ordinary search for chunk matches, with an access token. */
const record: ExchangeRecord = {
  id: "0001",
  probe: "bench",
  interface: "stream",
  operation: "search",
  credential: "access-token",
  request: { method: "GET", url: "http://code.example/.api/search/stream?q=test&cm=true", headers: [] },
  response: { status: 200, headers: [], body: { sha256: "", bytes: 0, chunks: [] } },
  end: { kind: "complete" },
  times: { sentAtMicros: 0, endedAtMicros: 1 },
};

/** One stream under all rules. */
export interface SampleJudge extends Pick<StreamJudge, "push"> {
  /** Ends the stream. Throws when any rule has anything to say: the benchmarks measure streams that keep every rule. */
  finish(): StreamFacts;
}

export function sampleJudge(): SampleJudge {
  const judge = createEvidenceJudge(allRules, { access: "private" });
  const stream = judge.openStream(record);
  return {
    push: (chunk, atMicros) => stream.push(chunk, atMicros),
    finish() {
      const facts = stream.finish({ isComplete: true });
      const said = [...judge.finish().outcomes].flatMap(([id, { findings }]) =>
        findings.map(({ message }) => `${id}: ${message}`),
      );
      if (said.length > 0 || facts.limit !== undefined || !facts.isFinished) {
        throw new Error(`a generated stream does not keep the rules: ${[...said, facts.limit ?? ""].join("; ")}`);
      }
      return facts;
    },
  };
}

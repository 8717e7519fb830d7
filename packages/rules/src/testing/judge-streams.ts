import type { RuleId } from "@assay/contract";
import type { CredentialKind, ExchangeRecord } from "@assay/evidence";
import { allRules, createEvidenceJudge } from "../index.ts";
import { withNamedFindings } from "./named-findings.ts";
import type { EvidenceJudge, Rule, RuleOutcome, TargetFacts } from "../index.ts";

/** An exchange as a test needs it; everything has a default. */
export interface ExchangeSketch {
  readonly id?: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly credential?: CredentialKind;
  readonly status?: number;
  /** The body; an exchange without one has no stream. */
  readonly body?: string | Uint8Array;
  /** What cut the body short. */
  readonly cutBy?: string;
  readonly sentAtMicros?: number;
  readonly url?: string;
}

export function exchangeRecord({
  id = "0001",
  query = {},
  credential = "access-token",
  status = 200,
  sentAtMicros = 0,
  url = `http://code.example/.api/search/stream?${new URLSearchParams(query).toString()}`,
}: ExchangeSketch): ExchangeRecord {
  return {
    id,
    probe: "test",
    interface: "stream",
    operation: "search",
    credential,
    request: {
      method: "GET",
      url,
      headers: [],
    },
    ...(status === 0 ? {} : { response: { status, headers: [], body: { sha256: "", bytes: 0, chunks: [] } } }),
    end: { kind: "complete" },
    times: { sentAtMicros, endedAtMicros: sentAtMicros + 1 },
  };
}

/** What these rules, and no others, come to on these exchanges. */
export function judgedBy(
  rules: readonly Rule[],
  sketches: readonly ExchangeSketch[],
  access: TargetFacts["access"] = "undeclared",
): ReturnType<EvidenceJudge["finish"]> {
  const sent = sketches.map((sketch, index) => ({
    sketch,
    record: exchangeRecord({ id: String(index + 1), ...sketch }),
  }));
  const judge = createEvidenceJudge(
    rules,
    { access },
    sent.map(({ record }) => record),
  );
  for (const { sketch, record } of sent) {
    if (sketch.body === undefined) {
      judge.addWithoutStream(record);
      continue;
    }
    const stream = judge.openStream(record);
    stream.push(Buffer.from(sketch.body), 0);
    stream.finish(sketch.cutBy === undefined ? { ended: true } : { ended: false, missing: sketch.cutBy });
  }
  const judged = judge.finish();
  return { ...judged, outcomes: withNamedFindings(judged.outcomes) };
}

/** What every rule says of these exchanges. */
export const judgeExchanges = (
  sketches: readonly ExchangeSketch[],
  access: TargetFacts["access"] = "undeclared",
): ReadonlyMap<RuleId, RuleOutcome> => judgedBy(allRules, sketches, access).outcomes;

/** Ids of the rules that report a violation, sorted. */
export const broken = (outcomes: ReadonlyMap<RuleId, RuleOutcome>): readonly RuleId[] =>
  [...outcomes]
    .filter(([, { findings }]) => findings.some(({ kind }) => kind === "violation"))
    .map(([id]) => id)
    .sort();

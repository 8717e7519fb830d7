import { defined } from "@assay/contract";
import type { RuleId } from "@assay/contract";
import { isClosedEarly } from "@assay/evidence";
import type { CredentialKind, ExchangeEnd, ExchangeRecord, HeaderField } from "@assay/evidence";
import { allRules, createEvidenceJudge } from "../index.ts";
import { withNamedFindings } from "./named-findings.ts";
import type { EvidenceJudge, Rule, RuleOutcome, TargetFacts } from "../index.ts";

/** An exchange for a test. Everything has a default. */
export interface ExchangeSketch {
  readonly id?: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly credential?: CredentialKind;
  readonly status?: number;
  /** The body. An exchange without one has no stream. */
  readonly body?: string | Uint8Array;
  /** The reason why the body was cut short. */
  readonly cutBy?: string;
  /** How the HTTP response ended [complete]. A failed response cuts the body short. */
  readonly end?: ExchangeEnd;
  readonly headers?: readonly HeaderField[];
  readonly requestHeaders?: readonly HeaderField[];
  readonly probe?: string;
  readonly sentAtMicros?: number;
  /** Duration of the exchange (default 1). The body arrives when it is sent. */
  readonly tookMicros?: number;
  /** When the process was too busy to read (default: unknown). */
  readonly stalls?: ExchangeRecord["times"]["stalls"];
  readonly url?: string;
  readonly reusesConnection?: true;
}

const defaults = {
  id: "0001",
  probe: "test",
  credential: "access-token",
  requestHeaders: [],
  end: { kind: "complete" },
} as const;

export function exchangeRecord({
  query = {},
  status = 200,
  sentAtMicros = 0,
  tookMicros = 1,
  stalls,
  headers = [],
  url = `http://code.example/.api/search/stream?${new URLSearchParams(query).toString()}`,
  reusesConnection,
  ...sketch
}: ExchangeSketch): ExchangeRecord {
  const { id, probe, credential, requestHeaders, end } = { ...defaults, ...defined(sketch) };
  return {
    id,
    probe,
    interface: "stream",
    operation: "search",
    credential,
    request: {
      method: "GET",
      url,
      headers: requestHeaders,
    },
    ...(status === 0 ? {} : { response: { status, headers, body: { sha256: "", bytes: 0, chunks: [] } } }),
    end,
    times: { sentAtMicros, endedAtMicros: sentAtMicros + tookMicros, ...defined({ stalls }) },
    ...defined({ reusesConnection }),
  };
}

/** Judges exchanges by these rules only. */
export function judgedBy(
  rules: readonly Rule[],
  sketches: readonly ExchangeSketch[],
  access: TargetFacts["access"] = "undeclared",
): ReturnType<EvidenceJudge["finish"]> {
  const sketchesWithRecords = sketches.map((sketch, index) => ({
    sketch,
    record: exchangeRecord({ id: String(index + 1), ...sketch }),
  }));
  const judge = createEvidenceJudge(rules, { access }, { records: sketchesWithRecords.map(({ record }) => record) });
  for (const { sketch, record } of sketchesWithRecords) {
    if (sketch.body === undefined) {
      judge.addWithoutStream(record);
      continue;
    }
    const stream = judge.openStream(record);
    stream.push(Buffer.from(sketch.body), 0);
    const { cutBy: missing = record.end.kind === "failed" ? record.end.code : undefined } = sketch;
    const isClosedByServer = isClosedEarly(record.end);
    stream.finish(missing === undefined ? { isComplete: true } : { isComplete: false, missing, isClosedByServer });
  }
  const judged = judge.finish();
  return { ...judged, outcomes: withNamedFindings(judged.outcomes) };
}

/** Returns the outcomes of all rules for these exchanges. */
export const judgeExchanges = (
  sketches: readonly ExchangeSketch[],
  access: TargetFacts["access"] = "undeclared",
): ReadonlyMap<RuleId, RuleOutcome> => judgedBy(allRules, sketches, access).outcomes;

/** Returns the ids of the rules that report a violation, sorted. */
export const failedRuleIds = (outcomes: ReadonlyMap<RuleId, RuleOutcome>): readonly RuleId[] =>
  [...outcomes]
    .filter(([, { findings }]) => findings.some(({ kind }) => kind === "violation"))
    .map(([id]) => id)
    .sort();

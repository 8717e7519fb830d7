import { anyCharacter } from "@assay/tools/any-character";
import {
  concludeRun,
  type ExchangeSummary,
  type IncompleteReason,
  type KnownFailure,
  toPositiveCount,
  type ReportedFinding,
  type RuleVerdict,
  type RunFacts,
  type RunResult,
  type Verdict,
} from "@assay/results";
import * as fc from "fast-check";
import { hostileStrings } from "./hostile-strings.ts";

/** Text of a target: hostile, any code units, or harmless. */
export const anyText = fc.oneof(
  fc.constantFrom(...hostileStrings),
  fc.string({ unit: anyCharacter, maxLength: 40 }),
  fc.lorem({ maxCount: 12 }),
  fc.string({ unit: fc.integer({ min: 0, max: 0xffff }).map((unit) => String.fromCharCode(unit)), maxLength: 30 }),
);

const excerpt = fc.record({ offset: fc.nat(), before: anyText, marked: anyText, after: anyText });

const finding = (kind: ReportedFinding["kind"]): fc.Arbitrary<ReportedFinding> =>
  fc.record(
    {
      kind: fc.constant(kind),
      message: anyText,
      code: anyText,
      exchange: anyText,
      event: fc.nat(),
      offset: fc.nat(),
      length: fc.nat(),
      pointer: anyText,
      standardClient: fc.constantFrom("same-events" as const, "other-events" as const, "error" as const),
      excerpt,
      curl: anyText,
    },
    { requiredKeys: ["kind", "message"] },
  );

const verdict: fc.Arbitrary<Verdict> = fc.oneof(
  fc.integer({ min: 1, max: 1000 }).map((count): Verdict => {
    const observations = toPositiveCount(count);
    return observations === undefined ? { outcome: "not-tested" } : { outcome: "passed", observations };
  }),
  fc
    .tuple(
      fc.constantFrom("failed" as const, "warned" as const),
      finding("violation"),
      fc.array(finding("violation"), { maxLength: 4 }),
      fc.nat(30),
      fc.option(fc.record({ blockedBy: fc.constantFrom("transport" as const, "limit" as const), missing: anyText }), {
        nil: undefined,
      }),
    )
    .map(([outcome, first, rest, moreFindings, partlyBlocked]): Verdict => {
      const broken = { outcome, findings: [first, ...rest], moreFindings } as const;
      return partlyBlocked === undefined || outcome === "warned" ? broken : { ...broken, partlyBlocked };
    }),
  fc.constant<Verdict>({ outcome: "not-tested" }),
  anyText.map((reason): Verdict => ({ outcome: "not-applicable", reason })),
  fc
    .tuple(fc.constantFrom("prerequisite" as const, "transport" as const, "limit" as const), anyText)
    .map(([blockedBy, missing]): Verdict => ({ outcome: "blocked", blockedBy, missing })),
);

const entry: fc.Arbitrary<Omit<KnownFailure, "status">> = fc.record(
  { reason: anyText, owner: anyText, expires: anyText, source: anyText, line: fc.integer({ min: 1, max: 9999 }) },
  { requiredKeys: ["reason", "owner", "source", "line"] },
);

/** The known-failure entry for each verdict; none for others. */
const statusOf: Partial<Readonly<Record<Verdict["outcome"], KnownFailure["status"]>>> = {
  passed: "fixed",
  warned: "known-failure",
  failed: "known-failure",
};

const unknownRule: fc.Arbitrary<RuleVerdict> = fc.record(
  {
    rule: anyText,
    interface: fc.constantFrom("stream", "legacy", "]]>"),
    operation: fc.constantFrom("search", "::error::"),
    title: anyText,
    basis: fc.constantFrom("stated", "schema", "derived", "inferred", "observed"),
    requirements: fc.array(fc.record({ id: anyText, specification: anyText, section: anyText, text: anyText }), {
      maxLength: 3,
    }),
    mustTest: fc.boolean(),
    verdict,
    notes: fc.array(finding("note"), { maxLength: 3 }),
  },
  { requiredKeys: ["rule", "interface", "operation", "title", "basis", "requirements", "mustTest", "verdict"] },
);

const rule: fc.Arbitrary<RuleVerdict> = fc
  .tuple(unknownRule, fc.option(entry, { freq: 3, nil: undefined }))
  .map(([unknown, known]) => {
    const status = statusOf[unknown.verdict.outcome];
    return known === undefined || status === undefined ? unknown : { ...unknown, known: { status, ...known } };
  });

const reason: fc.Arbitrary<IncompleteReason> = fc.record({
  code: fc.constantFrom("unreachable", "authentication-refused", "transport", "deadline", "evidence-incomplete"),
  message: anyText,
});

const exchange: fc.Arbitrary<ExchangeSummary> = fc.record(
  {
    id: anyText,
    probe: anyText,
    interface: fc.constantFrom("stream", "legacy", "current"),
    operation: fc.constantFrom("search", "create", "get"),
    url: anyText,
    status: fc.constantFrom(200, 401, 503),
    bytes: fc.nat(),
    events: fc.nat(),
    matches: fc.nat(),
    firstMatchMicros: fc.nat(),
    durationMicros: fc.nat(),
    failure: anyText,
  },
  { requiredKeys: ["id", "probe", "interface", "operation", "url", "bytes", "events", "matches", "durationMicros"] },
);

const rare = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<readonly T[]> =>
  fc.oneof({ weight: 8, arbitrary: fc.constant([]) }, { weight: 1, arbitrary: fc.tuple(arbitrary) });

const settledFacts = fc.record({
  verdicts: fc.array(rule, { maxLength: 6 }),
  incomplete: fc.oneof({ weight: 3, arbitrary: fc.constant([]) }, fc.array(reason, { maxLength: 3 })),
  strict: fc.boolean(),
});
const rareFacts = fc.tuple(
  rare(anyText.map((harnessError) => ({ harnessError }))),
  rare(fc.constantFrom({ interrupted: "SIGINT" as const }, { interrupted: "SIGTERM" as const })),
  rare(anyText.map((usageError) => ({ usageError }))),
  rare(anyText.map((cleanupFailure) => ({ cleanupFailure }))),
  rare(fc.constantFrom({ performance: "failed" as const }, { performance: "inconclusive" as const })),
  rare(fc.array(anyText, { minLength: 1, maxLength: 3 }).map((knownFailureMistakes) => ({ knownFailureMistakes }))),
);
const facts: fc.Arbitrary<RunFacts> = fc
  .tuple(settledFacts, rareFacts)
  .map(([settled, [[harness], [signal], [usage], [cleanup], [load], [mistakes]]]) =>
    Object.assign({}, settled, harness, signal, usage, cleanup, load, mistakes),
  );

const surroundings = fc.record({
  texts: fc.tuple(anyText, anyText, anyText, anyText),
  embedded: fc.boolean(),
  http: fc.constantFrom({}, { httpVersions: ["1.1"] }, { httpVersions: ["1.1", "2"] }),
  seed: fc.integer(),
  unspecified: fc.array(fc.record({ behaviour: anyText, seen: fc.array(finding("note"), { maxLength: 3 }) }), {
    maxLength: 3,
  }),
  exchanges: fc.array(exchange, { maxLength: 3 }),
  knownFailureNotes: fc.array(anyText, { maxLength: 2 }),
});
type Around = typeof surroundings extends fc.Arbitrary<infer Value> ? Value : never;

const resultFrom = ([all, around]: [RunFacts, Around]): RunResult => {
  const { texts, embedded, http, seed, unspecified, exchanges, knownFailureNotes } = around;
  const [id, target, profile, startedAt] = texts;
  return {
    schemaVersion: 2,
    tool: { name: "assay", version: "0.1.0" },
    run: { id, startedAt, target, embedded, profile, seed, strict: all.strict, ...http },
    ...concludeRun(all),
    ...(knownFailureNotes.length === 0 ? {} : { knownFailureNotes }),
    verdicts: all.verdicts,
    unspecified,
    exchanges,
  };
};

/** Any possible result of a run; outcome and exit code are from `concludeRun`. */
export const anyRunResult: fc.Arbitrary<RunResult> = fc.tuple(facts, surroundings).map(resultFrom);

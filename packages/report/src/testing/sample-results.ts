import {
  concludeRun,
  type KnownFailure,
  toPositiveCount,
  type ReportedFinding,
  type RuleVerdict,
  type RunFacts,
  type RunResult,
  type Verdict,
} from "@assay/results";

/** A passed verdict with `count` observations. */
export const passedWith = (count: number): Verdict => {
  const observations = toPositiveCount(count);
  if (observations === undefined) {
    throw new Error(`not a positive count: ${count}`);
  }
  return { outcome: "passed", observations };
};

/** The finding of a comment between two events, with every member. */
export const commentFinding: ReportedFinding = {
  kind: "violation",
  message: "a comment line",
  code: "comment",
  exchange: "x3",
  event: 4,
  offset: 1032,
  length: 12,
  standardClient: "same-events",
  excerpt: {
    offset: 992,
    before: '"durationMs":12,"skipped":[]}\\n\\n',
    marked: ": keep-alive",
    after: '\\nevent: matches\\ndata: [{"type":"content","path":"src/index.ts"',
  },
  curl: "curl -sN -H 'Accept: text/event-stream' -H \"Authorization: token $SRC_ACCESS_TOKEN\" 'http://127.0.0.1:3080/.api/search/stream?q=assay%20count%3A10&v=V3&display=5'",
};

/** The entry of a rule that fails as listed. */
export const knownFailure: KnownFailure = {
  status: "known-failure",
  reason: "The proxy in front of staging sends a comment as keep-alive.",
  owner: "platform-team",
  expires: "2027-01-31",
  source: "known.txt",
  line: 3,
};

/** The entry of a rule that passed although it is listed. */
export const fixedFailure: KnownFailure = { ...knownFailure, status: "fixed", line: 4 };

/** A permitted choice. */
export const fieldOrder: ReportedFinding = { kind: "note", message: "`data` comes before `event`" };

const row = (id: string, basis: RuleVerdict["basis"], title: string): RuleVerdict => ({
  rule: `stream/${id}`,
  interface: "stream",
  operation: "search",
  title,
  basis,
  requirements: [
    {
      id: "search-stream#6.1-two-fields",
      specification: "search-stream",
      section: "6",
      text: "An event consists of the fields `event` and `data` and of nothing else; each is one line",
    },
  ],
  mustTest: false,
  verdict: passedWith(14),
});

/** Rules that passed, a few of every basis. */
export const sampleRules: readonly RuleVerdict[] = [
  row("two-fields", "stated", "Every event has exactly the fields `event` and `data`, one on each line"),
  row("lines-end-with-lf", "stated", "Lines end with a line feed alone"),
  row("one-blank-line-between-events", "stated", "Exactly one blank line stands between two events"),
  row("data-is-json", "stated", "The data of every event is JSON"),
  row("done-is-last", "stated", "`done` is sent exactly once, and nothing follows it"),
  row("matches-is-an-array", "schema", "The data of `matches` is an array of objects with a type"),
  row("content-match-fits-schema", "schema", "A content match fits its schema"),
  row("last-event-is-complete", "derived", "The last event ends with its blank line"),
  row("text-is-utf-8", "derived", "The bytes of the stream are valid UTF-8"),
  row("final-progress-before-done", "derived", "A final progress comes before `done`"),
  row("match-count-never-falls", "inferred", "`matchCount` of successive progress events never falls"),
  row("filter-kind-is-known", "observed", "The kind of a filter is one of the values seen so far"),
];

/** The sample rules, one of them with another verdict. `id` is the last part of its id. */
export const withVerdict = (id: string, verdict: Verdict, changes: Partial<RuleVerdict> = {}): readonly RuleVerdict[] =>
  sampleRules.map((rule) => (rule.rule === `stream/${id}` ? { ...rule, verdict, ...changes } : rule));

/** A result with these facts; the sample rules passed unless the facts have other verdicts. */
export const resultOf = (facts: Partial<RunFacts> = {}, changes: Partial<RunResult> = {}): RunResult => {
  const all: RunFacts = { verdicts: sampleRules, strict: false, ...facts };
  return {
    schemaVersion: 2,
    tool: { name: "assay", version: "0.1.0" },
    run: {
      id: "20260102-030405-abcd",
      startedAt: "2026-01-02T03:04:05.000Z",
      target: "http://127.0.0.1:3080",
      embedded: true,
      profile: "gate",
      seed: 42,
      strict: all.strict,
      httpVersions: ["1.1"],
    },
    ...concludeRun(all),
    verdicts: all.verdicts,
    unspecified: [{ behaviour: "stream/field-order", seen: [fieldOrder, fieldOrder] }],
    exchanges: [
      {
        id: "x1",
        probe: "basic-search",
        interface: "stream",
        operation: "search",
        url: "http://127.0.0.1:3080/.api/search/stream?q=assay&v=V3",
        status: 200,
        bytes: 12_400,
        events: 9,
        matches: 31,
        firstMatchMicros: 12_400,
        durationMicros: 40_120,
      },
      {
        id: "x2",
        probe: "no-matches",
        interface: "stream",
        operation: "search",
        url: "http://127.0.0.1:3080/.api/search/stream?q=zzz&v=V3",
        status: 200,
        bytes: 310,
        events: 3,
        matches: 0,
        durationMicros: 9800,
      },
    ],
    ...changes,
  };
};

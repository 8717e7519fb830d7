import { countOutcomes } from "../conclude-run.ts";
import type { RunResult } from "../run-result.ts";
import { fixedFailure, knownFailure, observation, ruleVerdict, sampleVerdicts } from "./sample-verdicts.ts";

const partlyBlocked = { blockedBy: "limit", missing: "a line longer than 64 MiB" } as const;
const proof = [
  { mutation: "leaves out `done`", confirmed: { what: "`done` left out", exchange: "x1", offset: 2 } },
  { mutation: "repeats `done`", needs: "a second `done`", isOptional: true, tried: 0 },
] as const;

const verdicts = [
  ...Object.values(sampleVerdicts).map((verdict) => ruleVerdict(verdict, { notes: [observation] })),
  ruleVerdict({ ...sampleVerdicts.failed, partlyBlocked }, { known: knownFailure }),
  ruleVerdict(sampleVerdicts.passed, { known: fixedFailure, proof }),
  ruleVerdict({ outcome: "not-tested", reason: "no request was sent" }),
];

/** A result with every member, for tests. */
export const completeRunResult: RunResult = {
  schemaVersion: 2,
  tool: { name: "assay", version: "0.1.0" },
  run: {
    id: "20260102-030405-abcd",
    startedAt: "2026-01-02T03:04:05.000Z",
    target: "http://127.0.0.1:3080",
    embedded: true,
    profile: "gate",
    seed: 1,
    strict: false,
    foundAccess: "private",
    httpVersions: ["1.1"],
  },
  outcome: "failed",
  exitCode: 1,
  summary: "1 of 4 rules failed: stream/done-is-last",
  incomplete: [{ code: "limit", message: "blocked: stream/done-is-last: a line longer than 64 MiB" }],
  knownFailureMistakes: ["known-failures.txt, line 1: no owner"],
  knownFailureNotes: ["field, line 3: passed here"],
  counts: countOutcomes(verdicts),
  verdicts,
  unspecified: [{ behaviour: "stream/field-order", seen: [observation] }],
  openapi: {
    notes: ["one"],
    unseen: ["two"],
    source: "served",
    address: "http://127.0.0.1:3080/api-reference",
    sha256: "0".repeat(64),
    differences: ["three"],
  },
  exchanges: [
    {
      id: "x1",
      interface: "stream",
      operation: "search",
      probe: "basic-search",
      url: "http://127.0.0.1:3080/.api/search/stream?q=x",
      status: 200,
      bytes: 120,
      events: 3,
      matches: 1,
      firstMatchMicros: 900,
      durationMicros: 4000,
      failure: "refused",
    },
  ],
};

import { toPositiveCount } from "@assay/results";
import type { RuleVerdict } from "@assay/results";
import { recordDraft } from "@assay/evidence";
import type { MutationTrial } from "@assay/rules";
import { expect, test } from "vitest";
import { addProof, describeProofs } from "./with-proof.ts";

const observations = toPositiveCount(3);

const held: RuleVerdict = {
  rule: "stream/done-is-last",
  interface: "stream",
  operation: "search",
  title: "`done` comes last",
  basis: "stated",
  requirements: [],
  mustTest: true,
  verdict: observations === undefined ? { outcome: "not-tested" } : { outcome: "passed", observations },
};

const exchange = recordDraft({
  id: "0007",
  probe: "search",
  interface: "stream",
  operation: "search",
  credential: "access-token",
  request: { method: "GET", url: "http://127.0.0.1:1/", headers: [] },
  end: { kind: "complete" },
  times: { sentAtMicros: 0, endedAtMicros: 1 },
});

const confirmed: MutationTrial = {
  mutation: "sends no `done`",
  confirmed: { edit: { effect: "sent no `done`", replacements: [exchange], offset: 12 } },
};
const lacking = (tried: number, isOptional: boolean): MutationTrial => ({
  mutation: "sends `done` twice",
  needs: "a whole stream",
  isOptional,
  tried,
});

const proofOf = (...mutations: readonly MutationTrial[]) =>
  addProof(held, describeProofs(new Map([["stream/done-is-last" as const, mutations]])));

test("a rule that fails on each of its counterexamples passes, and its proof names them", () => {
  const { verdict, proof } = proofOf(confirmed);
  expect(verdict).toEqual(held.verdict);
  expect(proof).toEqual([
    { mutation: "sends no `done`", confirmed: { what: "sent no `done`", exchange: "0007", offset: 12 } },
  ]);
});

test.each([
  { tried: 0, reason: "no response could show a target that sends `done` twice; needs a whole stream" },
  {
    tried: 5,
    reason: "a target that sends `done` twice would have passed as well; needs a whole stream",
  },
])("a rule that passes on one of them is not tested ($tried tried)", ({ tried, reason }) => {
  const { verdict, proof } = proofOf(confirmed, lacking(tried, false));
  expect(verdict).toEqual({ outcome: "not-tested", reason });
  expect(proof).toHaveLength(2);
});

test("what the specifications let a target leave out is named, and costs nothing", () => {
  const { verdict, proof } = proofOf(confirmed, lacking(0, true));
  expect(verdict).toEqual(held.verdict);
  expect(proof?.[1]).toEqual({ mutation: "sends `done` twice", needs: "a whole stream", tried: 0, isOptional: true });
});

test("a rule without a proof stays as it was", () => {
  expect(addProof(held, new Map())).toBe(held);
});

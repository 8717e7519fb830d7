import { ruleIds } from "@assay/contract";
import { expect, test } from "vitest";
import { resultOf } from "../testing/result-of.ts";
import { recorded } from "../testing/recorded.ts";
import { unobservedReason } from "./unobserved-reason.ts";

test("every rule says why it may not be observed, and most what to do about it", () => {
  const reasons = ruleIds.map((id) => unobservedReason(id));
  expect(reasons.filter((reason) => !/^[a-z][^.\n]{20,200}$/u.test(reason))).toEqual([]);
  expect(reasons.filter((reason) => !/`--|--interface|tokens that|`assay /u.test(reason)).length).toBeLessThan(5);
});

test("no verdict is not observed without a reason", () => {
  const { verdicts } = resultOf([recorded({ body: "event: done\ndata: {}\n\n" })]);
  const notTested = verdicts.flatMap(({ verdict }) => (verdict.outcome === "not-tested" ? [verdict.reason] : []));
  expect(notTested.length).toBeGreaterThan(5);
  expect(notTested).not.toContain(undefined);
});

test("of streams that none came to its end no other query is asked for", () => {
  const { verdicts } = resultOf([recorded({ body: 'event: progress\ndata: {"done":true,"matchCount":0}\n\n' })]);
  const reasons = verdicts.flatMap(({ rule, verdict }) =>
    rule === "stream/done-is-an-empty-object" && verdict.outcome === "not-tested" ? [verdict.reason] : [],
  );
  expect(reasons).toEqual([expect.stringMatching(/^no stream came to its `done`, which every stream has/u)]);
});

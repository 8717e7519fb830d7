import type { RuleRow } from "../../rule-record.ts";
import { findMore, nothingSkipped } from "../not-tested-reasons.ts";

/** Open sets: a new value is reported and never fails. */
export const observedRules = {
  "stream/filter-kind-is-known": {
    basis: "observed",
    title: "The kind of a filter suggestion is a known value",
    requirements: ["search-stream#2.1.5-kind"],
    notTested: `no filters were suggested; ${findMore}`,
    mayBeUntested: true,
  },
  "stream/skipped-reason-is-known": {
    basis: "observed",
    title: "The reason of a skipped entry is a known value",
    requirements: ["search-stream#2.2.7-skipped-reason", "search-stream#8.4-shard-match-limit"],
    notTested: nothingSkipped,
    mayBeUntested: true,
  },
  "stream/skipped-severity-is-known": {
    basis: "observed",
    title: "The severity of a skipped entry is a known value",
    requirements: ["search-stream#2.2.10-skipped-severity"],
    notTested: nothingSkipped,
    mayBeUntested: true,
  },
} as const satisfies Readonly<Record<string, RuleRow>>;

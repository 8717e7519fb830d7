/** @module-tag proof */

import { drawSample } from "@assay/tools/proving";
import { isRuleId, ruleRecord } from "@assay/contract";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { streamFaultRows } from "../testing/fault-rows.ts";
import { sharedRepository } from "../testing/git-repository.ts";
import { serverHost } from "../testing/hosted-server.ts";
import { judgeServer, speaking } from "../testing/run-in-process.ts";
import { temporaryFolder } from "../testing/temporary-folder.ts";

const folder = temporaryFolder();
const startServer = serverHost();

const isAboutParameters = (rule: string): boolean => isRuleId(rule) && ruleRecord(rule).chapter === "parameters";

/** What a fault may need besides its own parameter: another parameter or filter of the same search, or a connection that was used. */
const conditions = [
  "v",
  "t",
  "cm",
  "cl",
  "max-line-len",
  "display",
  "count",
  "patterntype",
  "reused-connection",
] as const;

type Conditions = readonly (typeof conditions)[number][];

/** Pairs without meaning: the fault is about searches without the parameter, or the condition takes the effect of the parameter away. */
const impossible: Readonly<Record<string, Conditions>> = {
  "chunks-without-cm": ["cm"],
  "cl-default-is-three": ["cl"],
  "cl-default-is-zero": ["cl"],
  "cl-without-cm": ["cm"],
  "default-display": ["display"],
  "explicit-t-is-regexp": ["patterntype"],
  "max-line-len-cuts-line-matches": ["cm"],
  "omitted-t-is-keyword": ["t", "patterntype"],
  "omitted-t-is-regexp": ["t", "patterntype"],
  "omitted-v-is-v1": ["v", "patterntype"],
  "omitted-v-knows-no-filters": ["v", "patterntype"],
  "own-limit-not-named": ["count"],
  "parameter-required": ["v"],
  "t-ignored": ["patterntype"],
  "t-read-otherwise": ["patterntype"],
};

/**
 * Faults that a run does not show under some conditions. Each is a gap: a search or a rule is missing. A pair that is found fails the
 * test, so that the list stays true.
 */
const gaps: Readonly<Record<string, Conditions>> = {
  "cl-without-cm": ["max-line-len", "patterntype"],
  "cm-for-some-files": ["display", "patterntype"],
  "explicit-t-is-regexp": ["max-line-len"],
  "max-line-len-cuts-line-matches": ["patterntype"],
  "max-line-len-cuts-too-much": ["patterntype"],
  "max-line-len-none-is-nothing": ["patterntype"],
  "omitted-t-is-regexp": ["max-line-len"],
  "omitted-v-is-v1": ["t", "max-line-len"],
  "omitted-v-knows-no-filters": ["display", "reused-connection"],
  "pattern-types-ignored": ["max-line-len"],
  "query-decoded-wrongly": ["cm", "max-line-len", "patterntype"],
};

const includes = (list: Readonly<Record<string, Conditions>>, id: string, condition: Conditions[number]): boolean =>
  list[id]?.includes(condition) === true;

const rows = streamFaultRows
  .filter(
    ({ isDefault, fault: { attacks = "", kind } }) => isDefault && kind === "violation" && isAboutParameters(attacks),
  )
  .flatMap(({ fault: { id } }) =>
    conditions
      .filter((condition) => !includes(impossible, id, condition))
      .map((condition) => ({ id, condition, isGap: includes(gaps, id, condition) })),
  );

describe("a fault that acts only on searches that also meet another condition", () => {
  test.each(drawSample(rows, 12))("$id with $condition: found, unless it is a gap ($isGap)", async (row) => {
    const { condition, id, isGap } = row;
    const fault = { id, params: { with: condition } };
    const server = await startServer({ repos: [sharedRepository()], vocabulary: "observed", fault });
    try {
      const out = join(folder, `${id}-${condition}`);
      const { result } = await judgeServer(server, { out, proof: false });
      // Rules of other chapters may speak for a reason of their own, such as a slow machine.
      const spoken = speaking(result).filter((rule) => isAboutParameters(rule));
      expect(spoken.length === 0).toBe(isGap);
    } finally {
      await server.close();
    }
  });

  test("has no gap that names another fault or condition", () => {
    const known = new Set<string>(rows.map(({ condition, id }) => `${id} ${condition}`));
    const named = Object.entries(gaps).flatMap(([id, list]) => list.map((condition) => `${id} ${condition}`));
    expect(named.filter((pair) => !known.has(pair))).toEqual([]);
  });
});

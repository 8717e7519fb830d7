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

/** Parameters that a search sets together with that of the fault. */
const otherParameters = ["t", "cm", "cl"];

/** What a fault may need besides its own parameter. */
const conditions = [...otherParameters, "reused-connection"];

/** Pairs without meaning, because the fault is about searches without the parameter. */
const impossible: Readonly<Record<string, readonly string[]>> = {
  "omitted-t-is-regexp": ["t"],
  "omitted-t-is-keyword": ["t"],
  "chunks-without-cm": ["cm"],
  "cl-without-cm": ["cm"],
  "max-line-len-cuts-line-matches": ["cm"],
  "cl-default-is-zero": ["cl"],
  "cl-default-is-three": ["cl"],
};

/**
 * Faults that a run does not show under some conditions. Each is a gap: a search or a rule is missing. A pair that is found fails the
 * test, so that the list stays true.
 */
const gaps: Readonly<Record<string, readonly string[]>> = {
  "display-undershot": ["cm"],
  "explicit-v-finds-less": ["t"],
  "pattern-types-ignored": ["cm"],
  "query-decoded-wrongly": ["cm"],
};

const rows = streamFaultRows
  .filter(
    ({ isDefault, fault: { attacks = "", kind } }) => isDefault && kind === "violation" && isAboutParameters(attacks),
  )
  .flatMap(({ fault: { id } }) =>
    conditions
      .filter((condition) => impossible[id]?.includes(condition) !== true)
      .map((condition) => ({ id, condition, isGap: gaps[id]?.includes(condition) === true })),
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
    const known = new Set(rows.map(({ condition, id }) => `${id} ${condition}`));
    const named = Object.entries(gaps).flatMap(([id, list]) => list.map((condition) => `${id} ${condition}`));
    expect(named.filter((pair) => !known.has(pair))).toEqual([]);
  });
});

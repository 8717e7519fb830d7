/** @module-tag proof */

import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { isProvingAll } from "@assay/tools/proving";
import { defined, isRuleId, isStreamRuleId, ruleIds as allRuleIds, ruleRecord } from "@assay/contract";
import type { KillMatrixRow } from "@assay/report";
import type { RunResult } from "@assay/results";
import { getProfile } from "@assay/runner";
import type { RunOptions } from "../run/run-options.ts";
import { streamFaultRows } from "../testing/fault-rows.ts";
import type { FaultRow } from "../testing/fault-rows.ts";
import { sharedRepository } from "../testing/git-repository.ts";
import { serverHost } from "../testing/hosted-server.ts";
import { judgeServer, speaking } from "../testing/run-in-process.ts";
import { temporaryFolder } from "../testing/temporary-folder.ts";
import { describeKillMatrix, endOf, exitCodeOf } from "../testing/tried-matrix.ts";
import type { FoundRow, Tried } from "../testing/tried-matrix.ts";

const folder = temporaryFolder();
const startServer = serverHost();
const repo = [sharedRepository()];
const ruleIds = allRuleIds.filter((id) => isStreamRuleId(id));
const smokeRules = new Set<string>(getProfile("smoke").rules);

/** Slow or large in every search: few searches show as much as all of them. */
const costly = new Set(["late-start", "large-event", "one-burst", "trickle", "slow-first-match"]);

/** Broken exchanges are waited for, but not long; nothing else runs against the clock. */
const timeoutOf = ({ kind }: FaultRow["fault"]): Partial<RunOptions> => (kind === "transport" ? { timeout: 3 } : {});

/** Other settings of a fault that every search shows need only the smallest profile. */
const profileOf = ({ fault: { id, attacks }, isDefault }: FaultRow): string =>
  costly.has(id) || (!isDefault && attacks !== undefined && smokeRules.has(attacks)) ? "smoke" : "gate";

/** Permitted behaviour that rules only record, with the expected note and its row in the register. */
const choices: Readonly<Record<string, readonly [behaviour: string, message: RegExp]>> = {
  "alert-with-level": ["stream/alert-level", /^the level of an alert is in `(?:level|severity)`/u],
  "count-overshot": ["stream/matches-beyond-count", /count:/u],
};

function recordedChoice(fault: string, { unspecified }: RunResult): string {
  const [wanted, message] = choices[fault] ?? [];
  const seen = unspecified
    .find(({ behaviour }) => behaviour === wanted)
    ?.seen.some((finding) => message?.test(finding.message));
  return seen === true ? `recorded as ${wanted}` : "";
}

/** The result of `assay serve --fault X` and then `assay run` [with all rules of the profile]. */
async function matrixRow(row: FaultRow, tried: Tried, other?: Partial<RunOptions>): Promise<FoundRow> {
  const { fault, params } = row;
  const server = await startServer({ repos: repo, vocabulary: "observed", fault: { id: fault.id, params } });
  try {
    const out = join(folder, tried.out);
    const options = { out, profile: profileOf(row), ...timeoutOf(fault), ...other };
    const { exitCode, result } = await judgeServer(server, options);
    const { id } = fault;
    const attacks = Object.hasOwn(choices, id) ? undefined : fault.attacks;
    const notes = fault.kind === "transport" ? (result.incomplete[0]?.code ?? "") : recordedChoice(id, result);
    return {
      fault: id,
      parameters: params,
      ...defined({ attacks }),
      failedRules: speaking(result),
      exitCode,
      notes,
      incomplete: result.incomplete,
    };
  } finally {
    await server.close();
  }
}

/** A complete empty body is a stream without `done`. Other broken exchanges do not show a violation. */
const spokenOfBroken: Readonly<Record<string, readonly string[]>> = { "empty-body": ["stream/done-is-last"] };

/** If every response reports a problem or has no lines, too few rules can be tested, so the run may be incomplete. */
const tooFewTested = new Set([
  "alert-with-level",
  "error-event",
  "alert-after-final",
  "new-skipped-reason",
  "lines-left-out",
  // Searches on different connections see different states of the index, so that most comparisons prove nothing.
  "index-in-other-states",
]);

/** Other rules that fail because they judge the same responses: a target that ignores filters without `v` reads `count:` as text, for example. */
const collateral: Readonly<Record<string, readonly string[]>> = {
  "omitted-v-knows-no-filters": ["stream/count-stops-no-earlier", "stream/suggested-filter-finds-matches"],
  "cl-without-cm": ["stream/count-stops-no-earlier"],
  // A plus sign in brackets is found only as a regular expression.
  "t-ignored": ["stream/regexp-reads-expressions"],
  "t-read-otherwise": ["stream/regexp-reads-expressions"],
  "line-numbers-all-equal": ["stream/cl-gives-context-lines"],
  "content-fractional-line": ["stream/cl-gives-context-lines"],
};

const isChoice = ({ fault: { id } }: FaultRow): boolean => Object.hasOwn(choices, id);
const isMutant = (row: FaultRow): boolean => row.fault.attacks !== undefined && !isChoice(row);

/** The expected result of a row: only the attacked rule fails, and permitted behaviour makes no rule fail. */
function expectedOf(row: FaultRow): Pick<KillMatrixRow, "failedRules" | "exitCode"> {
  const { id, kind, attacks = "" } = row.fault;
  if (isMutant(row)) {
    return { failedRules: [attacks], exitCode: exitCodeOf(attacks) };
  }
  const failedRules = spokenOfBroken[id] ?? [];
  return { failedRules, exitCode: kind === "transport" ? (failedRules.length > 0 ? 1 : 3) : 0 };
}

function wrongWith(row: FaultRow, found: FoundRow): string | undefined {
  const { failedRules, exitCode, notes = "" } = found;
  const expected = expectedOf(row);
  const own = failedRules.filter((rule) => collateral[row.fault.id]?.includes(rule) !== true);
  const mayBeTooFew = exitCode === 3 && tooFewTested.has(row.fault.id);
  if (!isDeepStrictEqual({ failedRules: own, exitCode: mayBeTooFew ? expected.exitCode : exitCode }, expected)) {
    return `${failedRules.join(", ") || "nothing"} failed and ${endOf(found)}, not ${JSON.stringify(expected)}`;
  }
  const isSilent = (isChoice(row) || row.fault.kind === "transport") && notes === "";
  return isSilent ? "neither what was permitted nor what broke was noted" : undefined;
}

/** Rules of parameters and access need requests of their own, which their first requirement names; others see every search. */
function keysOf({ fault: { attacks = "", kind } }: FaultRow): readonly string[] {
  if (!isRuleId(attacks)) {
    return [kind];
  }
  const { chapter, probes, requirements } = ruleRecord(attacks);
  return ["access", "parameters"].includes(chapter) ? [...requirements.slice(0, 1), ...probes] : [chapter];
}

describeKillMatrix({
  isProvingAll,
  keysOf,
  file: "kill-matrix.md",
  rows: streamFaultRows,
  ruleIds,
  show: matrixRow,
  narrow: (rule) => [{ rule: [rule] }],
  isForAll: () => isProvingAll,
  isChoice,
  isTimed: ({ fault: { attacks } }) => attacks === "stream/results-arrive-incrementally",
  wrongWith,
});

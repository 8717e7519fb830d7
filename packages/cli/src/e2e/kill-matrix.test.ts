import { join } from "node:path";
import { isStreamRuleId, ruleCatalogue, ruleIds as allRuleIds } from "@assay/contract";
import type { KillMatrixRow } from "@assay/report";
import type { RunResult } from "@assay/results";
import { profileNamed } from "@assay/runner";
import { beforeAll, describe, expect, test } from "vitest";
import { environmentFor } from "../serve/environment-for.ts";
import { streamFaultRows } from "../testing/fault-rows.ts";
import type { FaultRow } from "../testing/fault-rows.ts";
import { makeRepository } from "../testing/git-repository.ts";
import { serverHost } from "../testing/hosted-server.ts";
import { describePublishedMatrix, triedRows } from "../testing/published-matrix.ts";
import { runInProcess, speaking } from "../testing/run-in-process.ts";
import { temporaryFolder } from "../testing/temporary-folder.ts";

const folder = temporaryFolder();
const startServer = serverHost();
const repo = [makeRepository(folder)];
const ruleIds = allRuleIds.filter((id) => isStreamRuleId(id));
const basisOf = new Map<string, string>(ruleCatalogue.map(({ id, basis }) => [id, basis]));
const smokeRules = new Set<string>(profileNamed("smoke").rules);

/** Slow or large in every search: few searches show as much as all of them. */
const costly = new Set(["late-start", "large-event", "one-burst", "trickle", "slow-first-match"]);

/** Broken exchanges are waited for, but not long. */
const timeoutOf = ({ kind }: FaultRow["fault"]): number => (kind === "transport" ? 3 : 60);

/** A further choice of a fault in what every search shows needs only the searches of the smallest profile. */
const profileOf = ({ fault: { id, attacks }, isDefault }: FaultRow): string =>
  costly.has(id) || (!isDefault && attacks !== undefined && smokeRules.has(attacks)) ? "smoke" : "gate";

/** Permitted choices that rules only record: what of them is looked for in which row of the gap register. */
const choices: Readonly<Record<string, readonly [gap: string, message: RegExp]>> = {
  "alert-with-level": ["stream/alert-level", /^the level of an alert is in `(?:level|severity)`/u],
  "count-overshot": ["stream/matches-beyond-count", /count:/u],
  "suggestion-of-another-number": ["stream/suggested-count", /5000/u],
};

function recordedChoice(fault: string, { gaps }: RunResult): string {
  const [wanted, message] = choices[fault] ?? [];
  const seen = gaps.find(({ gap }) => gap === wanted)?.seen.some((finding) => message?.test(finding.message));
  return seen === true ? `recorded as ${wanted}` : "";
}

/** What `assay serve --fault X` and then `assay run` come to. */
async function matrixRow(row: FaultRow, index: number): Promise<KillMatrixRow> {
  const { fault, params } = row;
  const server = await startServer({ repos: repo, vocabulary: "observed", fault: { id: fault.id, params } });
  try {
    const { SRC_ENDPOINT: url = "", ASSAY_ACCESS: access = "", ...env } = environmentFor(server);
    const out = join(folder, String(index));
    const options = { out, url, access, profile: profileOf(row), timeout: timeoutOf(fault) };
    const { exitCode, result } = await runInProcess(options, env);
    const { id } = fault;
    const attacks = Object.hasOwn(choices, id) ? undefined : fault.attacks;
    const notes = fault.kind === "transport" ? (result.incomplete[0]?.code ?? "") : recordedChoice(id, result);
    return {
      fault: id,
      parameters: params,
      ...(attacks === undefined ? {} : { attacks }),
      spoke: speaking(result),
      exitCode,
      notes,
    };
  } finally {
    await server.close();
  }
}

const faultRows = triedRows(streamFaultRows);

const matrix: KillMatrixRow[] = [];

beforeAll(async () => {
  const waiting = faultRows.entries();
  const work = async (): Promise<void> => {
    for (const [index, row] of waiting) {
      matrix[index] = await matrixRow(row, index);
    }
  };
  await Promise.all(Array.from({ length: 4 }, () => work()));
}, 1_200_000);

/** What a violation comes to: it fails, or only warns of what is not promised; a new value does neither. */
const exitCodes: Readonly<Record<string, number>> = { stated: 1, schema: 1, derived: 1, inferred: 0, observed: 0 };
const exitCodeOf = ({ attacks = "" }: FaultRow["fault"]): number => exitCodes[basisOf.get(attacks) ?? ""] ?? 0;

const indexed = faultRows.map((row, index) => ({ ...row, index, attacks: row.fault.attacks ?? "" }));
const isChoice = ({ fault: { id } }: FaultRow): boolean => Object.hasOwn(choices, id);
const mutants = indexed.filter((row) => row.fault.attacks !== undefined && !isChoice(row));

describe("a mutant", () => {
  test("exists for every rule", () => {
    expect(ruleIds.filter((id) => !mutants.some(({ attacks }) => attacks === id))).toEqual([]);
  });

  test.each(mutants)("$text is killed by $attacks and by no other rule", ({ index, attacks, fault }) => {
    expect([matrix[index]?.spoke, matrix[index]?.exitCode]).toEqual([[attacks], exitCodeOf(fault)]);
  });
});

describe("a permitted choice", () => {
  test.each(indexed.filter((row) => isChoice(row)))("$text is recorded and breaks nothing", ({ index, fault }) => {
    const [gap] = choices[fault.id] ?? [];
    expect(matrix[index]).toMatchObject({ spoke: [], exitCode: 0, notes: `recorded as ${gap}` });
  });
});

describe("a legal variation", () => {
  test.each(indexed.filter(({ fault }) => fault.kind === "legal"))("$text makes no rule speak", ({ index }) => {
    expect([matrix[index]?.spoke, matrix[index]?.exitCode]).toEqual([[], 0]);
  });
});

describe("a broken exchange", () => {
  /** An empty body that ended in good order is a stream without `done`; all else says nothing about the contract. */
  const spoken: Readonly<Record<string, readonly string[]>> = { "empty-body": ["stream/done-is-last"] };

  test.each(indexed.filter(({ fault }) => fault.kind === "transport"))("$text is never green", ({ index, fault }) => {
    const rules = spoken[fault.id] ?? [];
    expect([matrix[index]?.spoke, matrix[index]?.exitCode]).toEqual([rules, rules.length > 0 ? 1 : 3]);
    expect(matrix[index]?.notes).not.toBe("");
  });
});

describePublishedMatrix({ file: "kill-matrix.md", matrix, ruleIds, rowCount: streamFaultRows.length });

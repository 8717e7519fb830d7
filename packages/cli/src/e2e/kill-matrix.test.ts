import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { isProving } from "@assay/config/proving";
import { isStreamRuleId, ruleCatalogue, ruleIds as allRuleIds } from "@assay/contract";
import type { KillMatrixRow } from "@assay/report";
import type { RunResult } from "@assay/results";
import { profileNamed } from "@assay/runner";
import { describe, expect, test } from "vitest";
import { environmentFor } from "../serve/environment-for.ts";
import { streamFaultRows } from "../testing/fault-rows.ts";
import type { FaultRow } from "../testing/fault-rows.ts";
import { makeRepository } from "../testing/git-repository.ts";
import { serverHost } from "../testing/hosted-server.ts";
import { describePublishedMatrix, triedRows } from "../testing/published-matrix.ts";
import { judgeInProcess, speaking } from "../testing/run-in-process.ts";
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
};

function recordedChoice(fault: string, { gaps }: RunResult): string {
  const [wanted, message] = choices[fault] ?? [];
  const seen = gaps.find(({ gap }) => gap === wanted)?.seen.some((finding) => message?.test(finding.message));
  return seen === true ? `recorded as ${wanted}` : "";
}

/** What `assay serve --fault X` and then `assay run` come to. */
async function matrixRow(row: FaultRow, name: string): Promise<KillMatrixRow> {
  const { fault, params } = row;
  const server = await startServer({ repos: repo, vocabulary: "observed", fault: { id: fault.id, params } });
  try {
    const { SRC_ENDPOINT: url = "", ASSAY_ACCESS: access = "", ...env } = environmentFor(server);
    const out = join(folder, name);
    const options = { out, url, access, profile: profileOf(row), timeout: timeoutOf(fault) };
    const { exitCode, result } = await judgeInProcess(options, env);
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

const rows = triedRows(streamFaultRows, isProving);
const found = new Map<FaultRow, KillMatrixRow>();

/** What a violation comes to: it fails, or only warns of what is not promised; a new value does neither. */
const exitCodes: Readonly<Record<string, number>> = { stated: 1, schema: 1, derived: 1, inferred: 0, observed: 0 };

/** An empty body that ended in good order is a stream without `done`; what else breaks an exchange says nothing of the contract. */
const spokenOfBroken: Readonly<Record<string, readonly string[]>> = { "empty-body": ["stream/done-is-last"] };

const isChoice = ({ fault: { id } }: FaultRow): boolean => Object.hasOwn(choices, id);
const isMutant = (row: FaultRow): boolean => row.fault.attacks !== undefined && !isChoice(row);

/** What a row has to come to: the rule that is attacked speaks and no other, what is permitted breaks nothing. */
function expectedOf(row: FaultRow): Pick<KillMatrixRow, "spoke" | "exitCode"> {
  const { id, kind, attacks = "" } = row.fault;
  if (isMutant(row)) {
    return { spoke: [attacks], exitCode: exitCodes[basisOf.get(attacks) ?? ""] ?? 0 };
  }
  const spoke = spokenOfBroken[id] ?? [];
  return { spoke, exitCode: kind === "transport" ? (spoke.length > 0 ? 1 : 3) : 0 };
}

const isRight = (row: FaultRow, { spoke, exitCode }: KillMatrixRow): boolean =>
  isDeepStrictEqual({ spoke, exitCode }, expectedOf(row));

/** A fault that needs time may be missed on a busy machine, and is tried again; what no rule sees survives every time. */
async function tried(row: FaultRow, tries = 3): Promise<KillMatrixRow> {
  const one = await matrixRow(row, `${streamFaultRows.indexOf(row)}-${tries}`);
  const { attacks } = row.fault;
  if (attacks !== undefined && isMutant(row) && !one.spoke.includes(attacks) && tries > 1) {
    return tried(row, tries - 1);
  }
  found.set(row, one);
  return one;
}

const named = rows.map((row) => ({
  row,
  text: row.text,
  attacks: row.fault.attacks ?? "",
  gap: choices[row.fault.id]?.[0],
}));
const mutants = named.filter(({ row }) => isMutant(row));

test("a mutant exists for every rule", () => {
  expect(ruleIds.filter((id) => !mutants.some(({ attacks }) => attacks === id))).toEqual([]);
});

describe.concurrent("a mutant", () => {
  test.each(mutants)("$text is killed by $attacks and by no other rule", async ({ row }) => {
    expect(await tried(row)).toMatchObject(expectedOf(row));
  });
});

describe.concurrent("a permitted choice", () => {
  test.each(named.filter(({ row }) => isChoice(row)))(
    "$text is recorded as $gap and breaks nothing",
    async ({ row, gap }) => {
      expect(await tried(row)).toMatchObject({ ...expectedOf(row), notes: `recorded as ${gap}` });
    },
  );
});

describe.concurrent("a legal variation", () => {
  test.each(named.filter(({ row }) => row.fault.kind === "legal"))("$text makes no rule speak", async ({ row }) => {
    expect(await tried(row)).toMatchObject(expectedOf(row));
  });
});

describe.concurrent("a broken exchange", () => {
  test.each(named.filter(({ row }) => row.fault.kind === "transport"))("$text is never green", async ({ row }) => {
    const one = await tried(row);
    expect(one).toMatchObject(expectedOf(row));
    expect(one.notes).not.toBe("");
  });
});

describePublishedMatrix({ isProving, file: "kill-matrix.md", rows: streamFaultRows, found, ruleIds, isRight });

import { join } from "node:path";
import { isConversationRuleId, ruleCatalogue, ruleIds as allRuleIds } from "@assay/contract";
import type { KillMatrixRow } from "@assay/report";
import { beforeAll, describe, expect, test } from "vitest";
import { environmentFor } from "../serve/environment-for.ts";
import { conversationFaultRows } from "../testing/fault-rows.ts";
import type { FaultRow } from "../testing/fault-rows.ts";
import { makeRepository } from "../testing/git-repository.ts";
import { serverHost } from "../testing/hosted-server.ts";
import { describePublishedMatrix, triedRows } from "../testing/published-matrix.ts";
import { runInProcess, speaking } from "../testing/run-in-process.ts";
import { temporaryFolder } from "../testing/temporary-folder.ts";

const folder = temporaryFolder();
const startServer = serverHost();
const repos = [makeRepository(folder)];
const ruleIds = allRuleIds.filter((id) => isConversationRuleId(id));
const basisOf = new Map<string, string>(ruleCatalogue.map(({ id, basis }) => [id, basis]));

/** The schemas of the OpenAPI document speak of the same members as the rules about them. */
const isSchema = (rule: string): boolean => rule.endsWith("/responses-fit-openapi");

/** What else speaks because it sees the same answer; anything else is a rule that speaks of what is not its own. */
const collateral: Readonly<Record<string, readonly string[]>> = {
  "current-client-header-demanded": ["current/list-is-accepted"],
};

/** With sharing off, what a read token shows another user is a violation. */
const needsSharingOff = new Set(["legacy/unshared-conversation-is-hidden"]);

/** The interface that a fault is about, by the rule it attacks or by its name; both where neither tells. */
function interfacesOf({ fault: { id, attacks = "" } }: FaultRow): readonly string[] {
  const name = ["legacy", "current"].find((one) => attacks.startsWith(`${one}/`) || id.startsWith(`${one}-`));
  return name === undefined || attacks.startsWith("migration/") ? ["legacy", "current"] : [name];
}

const settingsOf = (row: FaultRow) => {
  const { kind } = row.fault;
  return {
    interface: interfacesOf(row),
    // Broken exchanges are waited for, but not long.
    timeout: kind === "transport" ? 20 : 60,
    // What never ends is given up soon; an answer takes a quarter of a second.
    questionTimeout: 8,
  };
};

/** What `assay serve --fault X` and then `assay run` come to, with all rules of the interface or with some. */
async function matrixRow(row: FaultRow, out: string, rule?: readonly string[]): Promise<KillMatrixRow> {
  const { fault, params } = row;
  const sharing = !needsSharingOff.has(fault.attacks ?? "");
  const server = await startServer({ repos, vocabulary: "observed", sharing, fault: { id: fault.id, params } });
  try {
    const { SRC_ENDPOINT: url = "", ASSAY_ACCESS: access = "", ASSAY_SHARING = "", ...env } = environmentFor(server);
    const chosen = rule === undefined ? {} : { rule };
    const options = { ...settingsOf(row), ...chosen, out: join(folder, out), url, access, sharing: ASSAY_SHARING };
    const { exitCode, result } = await runInProcess(options, env);
    const notes = fault.kind === "transport" ? (result.incomplete[0]?.code ?? "") : "";
    const attacks = fault.attacks === undefined ? {} : { attacks: fault.attacks };
    return { fault: fault.id, parameters: params, ...attacks, spoke: speaking(result), exitCode, notes };
  } finally {
    await server.close();
  }
}

/**
 * That no other rule speaks is seen once for each fault; its further choices are first shown to the rule that they attack alone,
 * which takes a few calls, and to all only where these do not show it.
 */
async function quickRow(row: FaultRow, out: string): Promise<KillMatrixRow> {
  const { attacks } = row.fault;
  const narrow = row.isDefault || attacks === undefined ? undefined : await matrixRow(row, `${out}-alone`, [attacks]);
  const isKilled = attacks !== undefined && narrow?.spoke.includes(attacks) === true;
  return narrow !== undefined && isKilled ? narrow : matrixRow(row, out);
}

/**
 * A row whose fault was not seen is tried again: an answer takes a quarter of a second, and on a busy machine no poll may fall
 * into it. What no rule sees at all survives every time.
 */
async function seenRow(row: FaultRow, index: number, tries = 3): Promise<KillMatrixRow> {
  const found = await quickRow(row, tries === 3 ? String(index) : `${index}-again-${tries}`);
  const { attacks } = row.fault;
  const isSeen = attacks === undefined || found.spoke.includes(attacks);
  return isSeen || tries === 1 ? found : seenRow(row, index, tries - 1);
}

const rows = triedRows(conversationFaultRows);

const matrix: KillMatrixRow[] = [];

beforeAll(async () => {
  const waiting = rows.entries();
  const work = async (): Promise<void> => {
    for (const [index, row] of waiting) {
      matrix[index] = await seenRow(row, index);
    }
  };
  await Promise.all(Array.from({ length: 6 }, () => work()));
}, 1_200_000);

/** What a violation comes to: it fails, or only warns of what is not promised; a new value does neither. */
const exitCodes: Readonly<Record<string, number>> = { stated: 1, schema: 1, derived: 1, inferred: 0, observed: 0 };
const indexed = rows.map((row, index) => ({ ...row, index, attacks: row.fault.attacks ?? "" }));
const mutants = indexed.filter(({ fault }) => fault.attacks !== undefined);

describe("a mutant", () => {
  test("exists for every rule", () => {
    expect(ruleIds.filter((id) => !mutants.some(({ attacks }) => attacks === id))).toEqual([]);
  });

  test.each(mutants)("$text is killed by $attacks and by no other rule", ({ index, attacks, fault }) => {
    const { spoke = [], exitCode } = matrix[index] ?? {};
    const permitted = new Set([attacks, ...(collateral[fault.id] ?? [])]);
    const others = spoke.filter((rule) => !permitted.has(rule) && !isSchema(rule));
    const schemaFailed = spoke.some((rule) => isSchema(rule));
    expect([spoke.includes(attacks), others]).toEqual([true, []]);
    expect(exitCode).toBe(schemaFailed ? 1 : exitCodes[basisOf.get(attacks) ?? ""]);
  });
});

describe("a legal variation", () => {
  test.each(indexed.filter(({ fault }) => fault.kind === "legal"))("$text makes no rule speak", ({ index }) => {
    expect([matrix[index]?.spoke, matrix[index]?.exitCode]).toEqual([[], 0]);
  });
});

describe("a broken exchange", () => {
  test.each(indexed.filter(({ fault }) => fault.kind === "transport"))("$text is never green", ({ index }) => {
    expect(matrix[index]?.exitCode).not.toBe(0);
    expect(matrix[index]?.notes).not.toBe("");
  });
});

describePublishedMatrix({
  file: "kill-matrix-conversations.md",
  matrix,
  ruleIds,
  rowCount: conversationFaultRows.length,
});

import { join } from "node:path";
import { isProving } from "@assay/config/proving";
import { isConversationRuleId, ruleCatalogue, ruleIds as allRuleIds } from "@assay/contract";
import type { KillMatrixRow } from "@assay/report";
import { describe, expect, test } from "vitest";
import { environmentFor } from "../serve/environment-for.ts";
import { conversationFaultRows } from "../testing/fault-rows.ts";
import type { FaultRow } from "../testing/fault-rows.ts";
import { makeRepository } from "../testing/git-repository.ts";
import { serverHost } from "../testing/hosted-server.ts";
import { describePublishedMatrix, triedRows } from "../testing/published-matrix.ts";
import { judgeInProcess, speaking } from "../testing/run-in-process.ts";
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

const rows = triedRows(conversationFaultRows, isProving);

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
    const { exitCode, result } = await judgeInProcess(options, env);
    const notes = fault.kind === "transport" ? (result.incomplete[0]?.code ?? "") : "";
    const attacks = fault.attacks === undefined ? {} : { attacks: fault.attacks };
    return { fault: fault.id, parameters: params, ...attacks, spoke: speaking(result), exitCode, notes };
  } finally {
    await server.close();
  }
}

/** Whether all rules are shown a fault: each as it is in `npm run prove`, every twelfth of them in `npm test`. */
const isShownToAll = (row: FaultRow): boolean =>
  row.fault.attacks === undefined ||
  Object.hasOwn(collateral, row.fault.id) ||
  (row.isDefault && (isProving || rows.indexOf(row) % 12 === 0));

/** Other faults are first shown to the rule that they attack alone, which takes a few calls, and to all where that shows nothing. */
async function quickRow(row: FaultRow, out: string): Promise<KillMatrixRow> {
  const { attacks } = row.fault;
  const narrow =
    isShownToAll(row) || attacks === undefined ? undefined : await matrixRow(row, `${out}-alone`, [attacks]);
  const isKilled = attacks !== undefined && narrow?.spoke.includes(attacks) === true;
  return narrow !== undefined && isKilled ? narrow : matrixRow(row, out);
}

const found = new Map<FaultRow, KillMatrixRow>();

/** What a violation comes to: it fails, or only warns of what is not promised; a new value does neither. */
const exitCodes: Readonly<Record<string, number>> = { stated: 1, schema: 1, derived: 1, inferred: 0, observed: 0 };

/** Rules that may speak besides the one that is attacked: those that see the same answer, and the schemas of it. */
function others({ fault: { id, attacks } }: FaultRow, spoke: readonly string[]): readonly string[] {
  const permitted = new Set([attacks, ...(collateral[id] ?? [])]);
  return spoke.filter((rule) => !permitted.has(rule) && (attacks === undefined || !isSchema(rule)));
}

/** What is wrong about a row that was tried, one clause; `undefined` when it came to what it has to come to. */
function wrongWith(row: FaultRow, { spoke, exitCode, notes }: KillMatrixRow): string | undefined {
  const { kind, attacks = "" } = row.fault;
  if (kind === "transport") {
    return exitCode === 0 || notes === "" ? `it ended with ${exitCode} and "${notes}"` : undefined;
  }
  if (attacks !== "" && !spoke.includes(attacks)) {
    return `${attacks} did not speak`;
  }
  const more = others(row, spoke);
  if (more.length > 0) {
    return `${more.join(", ")} spoke as well`;
  }
  const expected = spoke.some((rule) => isSchema(rule)) ? 1 : (exitCodes[basisOf.get(attacks) ?? ""] ?? 0);
  return exitCode === expected ? undefined : `it ended with ${exitCode}, not ${expected}`;
}

const isRight = (row: FaultRow, one: KillMatrixRow): boolean => wrongWith(row, one) === undefined;

/**
 * A row whose fault was not seen is tried again: an answer takes a quarter of a second, and on a busy machine no poll may fall
 * into it. What no rule sees at all survives every time.
 */
async function tried(row: FaultRow, tries = 3): Promise<KillMatrixRow> {
  const one = await quickRow(row, `${conversationFaultRows.indexOf(row)}-${tries}`);
  const { attacks } = row.fault;
  if (attacks !== undefined && !one.spoke.includes(attacks) && tries > 1) {
    return tried(row, tries - 1);
  }
  found.set(row, one);
  return one;
}

const named = rows.map((row) => ({ row, text: row.text, attacks: row.fault.attacks ?? "" }));
const mutants = named.filter(({ row }) => row.fault.attacks !== undefined);

test("a mutant exists for every rule", () => {
  expect(ruleIds.filter((id) => !mutants.some(({ attacks }) => attacks === id))).toEqual([]);
});

describe.concurrent("a mutant", () => {
  test.each(mutants)("$text is killed by $attacks and by no other rule", async ({ row }) => {
    expect(wrongWith(row, await tried(row))).toBeUndefined();
  });
});

describe.concurrent("a legal variation", () => {
  test.each(named.filter(({ row }) => row.fault.kind === "legal"))("$text makes no rule speak", async ({ row }) => {
    expect(wrongWith(row, await tried(row))).toBeUndefined();
  });
});

describe.concurrent("a broken exchange", () => {
  test.each(named.filter(({ row }) => row.fault.kind === "transport"))("$text is never green", async ({ row }) => {
    expect(wrongWith(row, await tried(row))).toBeUndefined();
  });
});

describePublishedMatrix({
  isProving,
  file: "kill-matrix-conversations.md",
  rows: conversationFaultRows,
  found,
  ruleIds,
  isRight,
});

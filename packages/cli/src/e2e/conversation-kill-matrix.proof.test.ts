/** @module-tag proof */

import { join } from "node:path";
import { isProvingAll } from "@assay/tools/proving";
import { isConversationRuleId, isRuleId, ruleIds as allRuleIds, ruleRecord } from "@assay/contract";
import type { RunOptions } from "../run/run-options.ts";
import { createServerEnvironment } from "../serve/server-environment.ts";
import { conversationFaultRows } from "../testing/fault-rows.ts";
import type { FaultRow } from "../testing/fault-rows.ts";
import { sharedRepository } from "../testing/git-repository.ts";
import { serverHost, unhurried } from "../testing/hosted-server.ts";
import { judgeInProcess, speaking } from "../testing/run-in-process.ts";
import { temporaryFolder } from "../testing/temporary-folder.ts";
import { describeKillMatrix, endOf, exitCodeOf } from "../testing/tried-matrix.ts";
import type { FoundRow, Tried } from "../testing/tried-matrix.ts";

const folder = temporaryFolder();
const startServer = serverHost();
const repos = [sharedRepository()];
const ruleIds = allRuleIds.filter((id) => isConversationRuleId(id));

/** The schemas of the OpenAPI document check the same members as other rules. */
const isSchema = (rule: string): boolean => rule.endsWith("/responses-fit-openapi");

/** Other rules that fail because they judge the same response. Any further failure is a mistake of a rule. */
const collateral: Readonly<Record<string, readonly string[]>> = {
  "current-client-header-demanded": ["current/list-is-accepted"],
  // Lists and later reads show the step back, too.
  "legacy-status-set-back": ["legacy/reads-are-current", "legacy/updated-at-never-falls"],
  // A question that had ended before its cancellation is in progress again.
  "legacy-cancellation-refused": ["legacy/reads-are-current"],
  "current-cancellation-refused": ["current/reads-are-current"],
  // A request with status 500 is sent again once its question has ended.
  "legacy-cancellation-fails": ["legacy/refusal-is-no-server-error"],
  // The conversation disappears, which another rule reports.
  "legacy-cancelled-late": ["legacy/finished-answer-is-stable"],
  "legacy-cancellation-clears-earlier": ["legacy/finished-answer-is-stable"],
  // A follow-up that is spoilt is not shown with its text.
  "legacy-question-spoilt": ["legacy/follow-up-is-accepted"],
  "current-question-spoilt": ["current/follow-up-is-accepted"],
  // On a busy machine such a list may look like an older version.
  "legacy-listed-status-stale": ["legacy/reads-are-current"],
  // Where no read showed the end before the second cancellation, a refused one is of what a later read shows in progress.
  "current-cancelled-twice-runs": ["current/reads-are-current", "current/cancel-is-accepted"],
  // An error that comes after all is one of an earlier time, with a time to try again that is past.
  "current-state-set-back": ["current/reads-are-current", "current/updated-at-never-falls", "current/times-are-utc"],
  // A cancellation that has its effect is refused.
  "legacy-access-token-refused": ["legacy/cancel-is-accepted"],
  "current-access-token-refused": ["current/cancel-is-accepted"],
  // A question that is asked in one interface and read in the other has another text or place there, or is missing.
  "migration-other-questions": ["question-text-is-kept", "questions-keep-their-order", "follow-up-is-accepted"].flatMap(
    (key) => [`legacy/${key}`, `current/${key}`],
  ),
  // What the other interface shows in progress for ever is refused a cancellation here.
  "migration-never-ends": ["legacy/cancel-is-accepted", "current/cancel-is-accepted"],
  "legacy-answer-not-as-described": ["legacy/conversation-fits-schema"],
  // A question that was never added can only be shown alone, or not at all.
  "legacy-follow-up-lost": ["legacy/follow-up-answers-the-conversation"],
  "legacy-deleted-takes-questions": ["legacy/follow-up-answers-the-conversation"],
  "legacy-silent-follow-up-accepted": ["legacy/follow-up-answers-the-conversation"],
  // The response to such a question shows it in progress, in a conversation that had ended.
  "legacy-simultaneous-follow-up-lost": [
    "legacy/questions-keep-their-order",
    "legacy/ids-are-stable",
    "legacy/reads-are-current",
    "legacy/updated-at-never-falls",
  ],
  "current-simultaneous-follow-up-lost": [
    "current/questions-keep-their-order",
    "current/reads-are-current",
    "current/updated-at-never-falls",
  ],
  // Nothing works without the token.
  "legacy-bearer-only": ["legacy/create-is-accepted", "legacy/list-parameters-are-accepted"],
  // Two lists show what is not there under one name, as created at different times.
  "current-name-malformed": ["current/created-at-is-stable"],
  "current-list-of-others": ["current/created-at-is-stable"],
  // A filtered list must not show other users either, nor more than its page size.
  "legacy-filter-user-id-broken": ["legacy/list-shows-own-only", "legacy/page-first-bounds"],
};

/** With sharing off, a read token must not show a conversation to another user. */
const needsSharingOff = new Set(["legacy/unshared-conversation-is-hidden"]);

/** Rules that need several questions: about errors, follow-ups, cancellations and lists. */
const needsMore = /\/(?:error-|follow-up|cancel-is|filter-|page|sort-|default-sort)|-order$/u;

/** The interface that a fault is about, by the rule it attacks or by its name; both if it is unknown. */
function interfacesOf({ fault: { id, attacks = "" } }: FaultRow): readonly string[] {
  const name = ["legacy", "current"].find((one) => attacks.startsWith(`${one}/`) || id.startsWith(`${one}-`));
  // That a token is a good one is shown by the other interface.
  const needsBoth = attacks.startsWith("migration/") || id === "legacy-bearer-only";
  return name === undefined || needsBoth ? ["legacy", "current"] : [name];
}

const settingsOf = (row: FaultRow, { isAgain }: Tried) => ({
  interface: interfacesOf(row),
  // Broken exchanges are waited for, but not long; nothing else runs against the clock.
  ...(row.fault.kind === "transport" ? { timeout: 20 } : {}),
  // Endless responses have a short timeout; an answer takes a quarter of a second, and much longer on a busy machine.
  questionTimeout: isAgain ? 60 : 8,
});

/** A question is cancelled, and looked at, while it is being answered: three seconds where it is answered all the same. */
function paceOf({ id, attacks }: FaultRow["fault"]): { readonly latencyFactor?: number } {
  if (id.endsWith("cancellation-without-effect")) {
    return { latencyFactor: 12 };
  }
  return /cancel|at-work/u.test(`${id} ${attacks}`) ? unhurried : {};
}

/** The result of `assay serve --fault X` and then `assay run` [with all rules of the interface]. */
async function matrixRow(row: FaultRow, tried: Tried, other?: Partial<RunOptions>): Promise<FoundRow> {
  const { fault, params } = row;
  const sharing = !needsSharingOff.has(fault.attacks ?? "");
  const pace = { ...(tried.isAgain ? unhurried : {}), ...paceOf(fault) };
  const chosen = { id: fault.id, params };
  const server = await startServer({ repos, vocabulary: "observed", sharing, ...pace, fault: chosen });
  try {
    const { SRC_ENDPOINT: url, ASSAY_ACCESS: access, ASSAY_SHARING, ...env } = createServerEnvironment(server);
    const options = {
      ...settingsOf(row, tried),
      ...other,
      out: join(folder, tried.out),
      url,
      access,
      sharing: ASSAY_SHARING,
    };
    const { exitCode, result } = await judgeInProcess(options, env);
    const { incomplete } = result;
    const notes = fault.kind === "transport" ? (incomplete[0]?.code ?? "") : "";
    const attacks = fault.attacks === undefined ? {} : { attacks: fault.attacks };
    return {
      fault: fault.id,
      parameters: params,
      ...attacks,
      failedRules: speaking(result),
      exitCode,
      notes,
      incomplete,
    };
  } finally {
    await server.close();
  }
}

/** Rules that may fail besides the attacked one: those that judge the same response, and its schemas. */
function others({ fault: { id, attacks } }: FaultRow, failedRules: readonly string[]): readonly string[] {
  const permitted = new Set([attacks, ...(collateral[id] ?? [])]);
  return failedRules.filter((rule) => !permitted.has(rule) && (attacks === undefined || !isSchema(rule)));
}

/** The problem of a tested row, as a clause; `level` if it has the expected result. */
function wrongWith(row: FaultRow, found: FoundRow): string | undefined {
  const { failedRules, exitCode, notes } = found;
  const { kind, attacks = "" } = row.fault;
  if (kind === "transport") {
    return exitCode === 0 || notes === "" ? `${endOf(found)}, and what broke was not noted` : undefined;
  }
  if (attacks !== "" && !failedRules.includes(attacks)) {
    return `${attacks} did not speak`;
  }
  const more = others(row, failedRules);
  if (more.length > 0) {
    return `${more.join(", ")} failed as well`;
  }
  const expected = failedRules.some((rule) => isSchema(rule)) ? 1 : exitCodeOf(attacks);
  return exitCode === expected ? undefined : `${endOf(found)}, not ${expected}`;
}

/** The probes of the rule, in its interface. */
function keysOf({ fault: { attacks = "", kind } }: FaultRow): readonly string[] {
  if (!isRuleId(attacks)) {
    return [kind];
  }
  const { interface: name, probes } = ruleRecord(attacks);
  return probes.map((probe) => `${name} ${probe}`);
}

describeKillMatrix({
  isProvingAll,
  keysOf,
  file: "kill-matrix-conversations.md",
  rows: conversationFaultRows,
  ruleIds,
  show: matrixRow,
  // One question shows most faults, with a third of the calls.
  narrow: (rule) => [...(needsMore.test(rule) ? [] : [{ rule: [rule], questions: 1 }]), { rule: [rule] }],
  // Against all rules: every fault with its defaults in `npm run prove -- --all`, and further settings if the attacked rule passes.
  isForAll: (row) => isProvingAll && (row.isDefault || Object.hasOwn(collateral, row.fault.id)),
  wrongWith,
});

import { defined } from "@assay/contract";
import { setTimeout as wait } from "node:timers/promises";
import { createRunClock } from "@assay/client";
import { credentialKinds } from "@assay/evidence";
import type { CredentialKind } from "@assay/evidence";
import { cleanUp, conversationLimits, createRateLimit, selectMainCredential } from "@assay/runner";
import type { CleanUpResult, ConversationLimitName, Ledger, LedgerEntry } from "@assay/runner";
import { createTargetClient } from "../run/target-client.ts";
import type { TargetAccess } from "../run/target-client.ts";

/** A ledger and its target. */
export interface LedgerCleanUpOptions extends TargetAccess {
  readonly target: TargetAccess["target"] & { readonly tokens: Readonly<Partial<Record<CredentialKind, string>>> };
  readonly entries: readonly LedgerEntry[];
  /** Records each deletion. */
  readonly ledger?: Pick<Ledger, "recordDeleted">;
  readonly limits: ConversationLimitName;
  readonly deadlineMs: number;
  readonly signal?: AbortSignal;
}

/** Deletes the open conversations of a ledger on one target. Never deletes a conversation without the marker of its run. */
export function cleanUpLedger(options: LedgerCleanUpOptions): Promise<CleanUpResult> {
  const { target, entries, ledger, deadlineMs, signal } = options;
  const clock = createRunClock();
  const client = createTargetClient(options, clock);
  const { tokens } = target;
  const limits = conversationLimits(options.limits);
  let callCount = 0;
  return cleanUp({
    send: async ({ id, probe, ...call }) => {
      const token = tokens[call.credential];
      return { ...(await client.call({ ...call, ...defined({ token }) })), id, probe };
    },
    nextId: () => String((callCount += 1)),
    mainCredential: selectMainCredential(target),
    limits,
    rateLimit: createRateLimit(limits.requestsPerSecond, clock),
    clock,
    wait: (ms, abortSignal) => wait(ms, undefined, abortSignal === undefined ? {} : { signal: abortSignal }),
    credentials: new Set(credentialKinds.filter((kind: CredentialKind) => tokens[kind] !== undefined)),
    entries,
    ...defined({ ledger }),
    deadlineMs,
    ...defined({ signal }),
  });
}

/**
 * Deletes the open conversations of a ledger on both targets of a comparison. The ledger does not record the target of a conversation, so
 * each entry is looked up on both. An entry remains if deleting it failed, or if neither target has it with the run's marker.
 */
export async function cleanUpBothTargets(
  base: LedgerCleanUpOptions,
  head: LedgerCleanUpOptions & { readonly ledger: Pick<Ledger, "recordDeleted"> },
): Promise<CleanUpResult> {
  const { ledger, ...withoutLedger } = head;
  const results = [await cleanUpLedger(base), await cleanUpLedger(withoutLedger)];
  const foreignNames = results.map(
    ({ leftovers }) => new Set(leftovers.flatMap(({ label, isForeign }) => (isForeign ? [label] : []))),
  );
  const leftovers = results.flatMap((result, index) =>
    result.leftovers.filter(
      ({ label, isForeign }) => isForeign !== true || (index === 0 && foreignNames[1]?.has(label) === true),
    ),
  );
  if (leftovers.length === 0) {
    for (const { key, state } of base.entries) {
      await (state === "open" ? ledger.recordDeleted(key) : undefined);
    }
  }
  return { deletedNames: [...new Set(results.flatMap(({ deletedNames }) => deletedNames))], leftovers };
}

import { defined } from "@assay/contract";
import { setTimeout as wait } from "node:timers/promises";
import { createRunClock } from "@assay/client";
import { credentialKinds } from "@assay/evidence";
import type { CredentialKind } from "@assay/evidence";
import { cleanUp, conversationLimits, createRateLimit, mainCredentialOf } from "@assay/runner";
import type { CleanUpEnd, ConversationLimitName, Ledger, LedgerEntry } from "@assay/runner";
import { clientFor } from "../run/target-client.ts";
import type { TargetAccess } from "../run/target-client.ts";

/** What is cleaned up, and where. */
export interface LedgerCleanUp extends TargetAccess {
  readonly target: TargetAccess["target"] & { readonly tokens: Readonly<Partial<Record<CredentialKind, string>>> };
  readonly entries: readonly LedgerEntry[];
  /** Told of each deletion [nobody]. */
  readonly ledger?: Pick<Ledger, "deleted">;
  readonly limits: ConversationLimitName;
  readonly deadlineMs: number;
  readonly signal?: AbortSignal;
}

/** Deletes on one target what a ledger tells to be still there. Never touches what does not carry the mark of its run. */
export function cleanUpLedger(options: LedgerCleanUp): Promise<CleanUpEnd> {
  const { target, entries, ledger, deadlineMs, signal } = options;
  const clock = createRunClock();
  const client = clientFor(options, clock);
  const { tokens } = target;
  const limits = conversationLimits(options.limits);
  let next = 0;
  return cleanUp({
    send: async ({ id, probe, ...call }) => {
      const token = tokens[call.credential];
      return { ...(await client.call({ ...call, ...defined({ token }) })), id, probe };
    },
    nextId: () => String((next += 1)),
    mainCredential: mainCredentialOf(target),
    limits,
    rateLimit: createRateLimit(limits.requestsPerSecond, clock),
    clock,
    wait: (ms, until) => wait(ms, undefined, until === undefined ? {} : { signal: until }),
    credentials: new Set(credentialKinds.filter((kind: CredentialKind) => tokens[kind] !== undefined)),
    entries,
    ...defined({ ledger }),
    deadlineMs,
    ...defined({ signal }),
  });
}

/**
 * The same on both targets of a comparison. Their ledger does not tell which of them a conversation is on, so each entry is
 * looked for on both: left is what one of them could not delete, and what neither knows as ours.
 */
export async function cleanUpBoth(
  one: LedgerCleanUp,
  other: LedgerCleanUp & { readonly ledger: Pick<Ledger, "deleted"> },
): Promise<CleanUpEnd> {
  const { ledger, ...looking } = other;
  const ends = [await cleanUpLedger(one), await cleanUpLedger(looking)];
  const foreign = ends.map(({ left }) => new Set(left.flatMap(({ what, isForeign }) => (isForeign ? [what] : []))));
  const left = ends.flatMap((end, index) =>
    end.left.filter(({ what, isForeign }) => isForeign !== true || (index === 0 && foreign[1]?.has(what) === true)),
  );
  if (left.length === 0) {
    for (const { key, state } of one.entries) {
      await (state === "open" ? ledger.deleted(key) : undefined);
    }
  }
  return { deleted: [...new Set(ends.flatMap(({ deleted }) => deleted))], left };
}

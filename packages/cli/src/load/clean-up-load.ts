import { openLedger, readLedger } from "@assay/runner";
import type { CleanUpEnd, Ledger } from "@assay/runner";
import type { LoadResult } from "@assay/results";
import { type LedgerCleanUp, cleanUpBoth, cleanUpLedger } from "../cleanup/clean-up-ledger.ts";
import type { CommandContext } from "../command-context.ts";
import type { LoadTarget, LoadTargets } from "./load-targets.ts";

/** A load run that has ended. */
export interface LoadCleanUp {
  readonly folder: string;
  readonly targets: Pick<LoadTargets, "a" | "b" | "limits" | "extraHeaders">;
  readonly context: Pick<CommandContext, "env">;
  /** Told how many conversations are to be removed, when there are some. */
  readonly onBegin: (count: number) => void;
}

const deadlineMs = 60_000;

function cleanUpOf(target: LoadTarget, ledger: Ledger, { targets, context }: LoadCleanUp) {
  const tokens: Readonly<Record<string, string>> = target.token === undefined ? {} : { "access-token": target.token };
  return {
    target: { url: target.url, embedded: target.embedded, tokens },
    env: context.env,
    extraHeaders: targets.extraHeaders,
    entries: ledger.entries(),
    ledger,
    limits: targets.limits.name,
    deadlineMs,
  } satisfies LedgerCleanUp;
}

function removeOpen(ledger: Ledger, load: LoadCleanUp): Promise<CleanUpEnd> {
  const { a, b } = load.targets;
  const first = cleanUpOf(a, ledger, load);
  if (b === undefined) {
    return cleanUpLedger(first);
  }
  const { ledger: _later, ...looking } = first;
  return cleanUpBoth(looking, cleanUpOf(b, ledger, load));
}

/**
 * Deletes what a load run has created and not deleted itself, also after an interruption. Undefined where nothing was created.
 * Never fails for what the target does: what could not be deleted is told.
 */
export async function cleanUpLoad(load: LoadCleanUp): Promise<LoadResult["cleanUp"]> {
  const entries = (await readLedger(load.folder)) ?? [];
  const created = entries.filter(({ state }) => state !== "nothing").length;
  const open = entries.filter(({ state }) => state === "open").length;
  if (open === 0) {
    return created === 0 ? undefined : { created, removed: created, left: [] };
  }
  load.onBegin(open);
  const ledger = await openLedger(load.folder);
  try {
    const { left } = await removeOpen(ledger, load);
    return { created, removed: created - left.length, left: left.map(({ what, why }) => `${what}: ${why}`) };
  } finally {
    await ledger.close();
  }
}

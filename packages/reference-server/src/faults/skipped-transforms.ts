import { isPayloadArray, isPayloadObject, type PayloadObject } from "../payload.ts";
import { type EventEffect, changeEach } from "./event-transforms.ts";
import type { FaultRun } from "./fault-run.ts";

/** A skipped entry as the service itself sends it where archived repositories were left out. */
export const archivedEntry = {
  reason: "excluded-archive",
  title: "1 archived",
  message: "By default archived repositories are left out.",
  severity: "info",
} as const;

const entriesOf = ({ skipped }: PayloadObject): readonly unknown[] => (isPayloadArray(skipped) ? skipped : []);

const isLimit = (entry: unknown): entry is PayloadObject =>
  isPayloadObject(entry) && entry["reason"] === "shard-match-limit";

/** Puts others, or none, in the place of entries that name a limit which was reached; in all searches, or in those that are meant. */
export const replaceLimits = (
  others: (entry: PayloadObject) => readonly object[],
  isMeant: (run: FaultRun) => boolean = () => true,
): EventEffect =>
  changeEach("progress", (progress, run) => {
    const entries = entriesOf(progress);
    return isMeant(run) && entries.some(isLimit)
      ? { ...progress, skipped: entries.flatMap((entry) => (isLimit(entry) ? others(entry) : [entry])) }
      : undefined;
  });

/** A progress that names nothing; `undefined` when it named nothing before. */
export const withoutEntries = (progress: PayloadObject): PayloadObject | undefined =>
  entriesOf(progress).length > 0 ? { ...progress, skipped: [] } : undefined;

/** A progress with one entry more. */
export const withEntry = (progress: PayloadObject, entry: object): PayloadObject => ({
  ...progress,
  skipped: [...entriesOf(progress), entry],
});

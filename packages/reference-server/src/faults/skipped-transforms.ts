import { isPayloadArray, isPayloadObject, type PayloadObject } from "../payload.ts";

/** A skipped entry as the service itself sends it where archived repositories were left out. */
export const archivedEntry = {
  reason: "excluded-archive",
  title: "1 archived",
  message: "By default archived repositories are left out.",
  severity: "info",
} as const;

const entriesOf = ({ skipped }: PayloadObject): readonly unknown[] => (isPayloadArray(skipped) ? skipped : []);

/** Whether an entry of `skipped` names a limit that was reached. */
export const isLimitEntry = (entry: unknown): entry is PayloadObject =>
  isPayloadObject(entry) && entry["reason"] === "shard-match-limit";

/** A progress whose entries about limits are changed; `undefined` when it has none. */
export const withLimitEntries = (
  progress: PayloadObject,
  change: (entry: PayloadObject) => PayloadObject,
): PayloadObject | undefined => {
  const entries = entriesOf(progress);
  return entries.some(isLimitEntry)
    ? { ...progress, skipped: entries.map((entry) => (isLimitEntry(entry) ? change(entry) : entry)) }
    : undefined;
};

/** A progress without its entries about limits; `undefined` when it has none. */
export const withoutLimitEntries = (progress: PayloadObject): PayloadObject | undefined => {
  const entries = entriesOf(progress);
  return entries.some(isLimitEntry)
    ? { ...progress, skipped: entries.filter((entry) => !isLimitEntry(entry)) }
    : undefined;
};

/** A progress that names nothing; `undefined` when it named nothing before. */
export const withoutEntries = (progress: PayloadObject): PayloadObject | undefined =>
  entriesOf(progress).length > 0 ? { ...progress, skipped: [] } : undefined;

/** A progress with one entry more. */
export const withEntry = (progress: PayloadObject, entry: object): PayloadObject => ({
  ...progress,
  skipped: [...entriesOf(progress), entry],
});

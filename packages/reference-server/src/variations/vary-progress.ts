import { without } from "../faults/event-transforms.ts";
import { isPayloadArray, isPayloadObject, type PayloadObject } from "../payload.ts";
import type { Dice } from "./dice.ts";
import { withOtherOptionals } from "./optional-members.ts";

const reasons = [
  "excluded-archive",
  "shard-match-limit",
  "repository-cloning",
  "repository-fork",
  "shard-timeout",
  "backend-missing",
  "repository-quarantined",
  "",
] as const;
const severities = ["info", "warn", "error", "notice"] as const;

const newEntry = (dice: Dice): PayloadObject => ({
  reason: dice.pick(reasons),
  title: dice.pick(["1 archived", "68k forked", ""]),
  message: "Two lines:\n* `one`\n* `two`",
  severity: dice.pick(severities),
});

const suggestions = [
  { title: "increase limit", queryExpression: "count:1000" },
  { title: "include archived", queryExpression: "archived:yes" },
] as const;

const otherEntries = (skipped: unknown, dice: Dice): unknown => {
  if (!isPayloadArray(skipped)) {
    return skipped;
  }
  const entries = dice.chance(0.3) ? [...skipped, newEntry(dice)] : skipped;
  return entries.map((entry) =>
    isPayloadObject(entry) ? withOtherOptionals(entry, { suggested: suggestions }, dice) : entry,
  );
};

/** At zero the count may be zero, null or absent; while the search runs it may be null. */
const otherRepositories = (progress: PayloadObject, dice: Dice): PayloadObject => {
  if (progress["done"] !== true) {
    return dice.chance(0.1) ? { ...progress, repositoriesCount: null } : progress;
  }
  if (progress["matchCount"] !== 0) {
    return progress;
  }
  return dice.pick([
    progress,
    without(progress, "repositoriesCount"),
    { ...progress, repositoriesCount: 0 },
    { ...progress, repositoriesCount: null },
  ]);
};

const traces = ["https://traces.example/t/1?a=b&c=%20#d", ""] as const;

/**
 * Another legal form of the same progress. What `matchCount` counts is not said, so all counts of one stream may be larger by
 * one factor. Source: search-stream, section 2.2.
 */
export const varyProgress = (
  progress: unknown,
  { dice, countFactor }: { readonly dice: Dice; readonly countFactor: number },
): unknown =>
  isPayloadObject(progress)
    ? withOtherOptionals(
        {
          ...otherRepositories(progress, dice),
          matchCount: Number(progress["matchCount"]) * countFactor,
          skipped: otherEntries(progress["skipped"], dice),
        },
        { trace: traces },
        dice,
      )
    : progress;

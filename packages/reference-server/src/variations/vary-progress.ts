import { without } from "../faults/event-transforms.ts";
import { isPayloadArray, isPayloadObject, type PayloadObject } from "../payload.ts";
import type { Dice } from "./dice.ts";
import type { ServerHabits } from "./server-habits.ts";
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
  suggested: { title: "show more", queryExpression: "count:1000" },
});

/** How the progress events of one stream are varied. */
interface ProgressVariation {
  readonly dice: Dice;
  readonly habits: ServerHabits;
}

const suggestions = [
  { title: "increase limit", queryExpression: "count:1000" },
  { title: "include archived", queryExpression: "archived:yes" },
] as const;

/** A limit that was reached suggests `count:1000`, under any title; other entries need not suggest anything. */
const otherSuggestion = (entry: PayloadObject, dice: Dice): PayloadObject =>
  entry["reason"] === "shard-match-limit"
    ? dice.pick([entry, { ...entry, suggested: { title: "", queryExpression: "count:1000" } }])
    : withOtherOptionals(entry, { suggested: suggestions }, dice);

const otherEntries = (skipped: unknown, { dice, habits }: ProgressVariation): unknown => {
  if (!isPayloadArray(skipped)) {
    return skipped;
  }
  const entries = habits.isTalkative && dice.chance(0.3) ? [...skipped, newEntry(dice)] : skipped;
  return entries.map((entry) => (isPayloadObject(entry) ? otherSuggestion(entry, dice) : entry));
};

/** At zero the count may be zero or absent. */
const otherRepositories = (progress: PayloadObject, dice: Dice): PayloadObject => {
  if (progress["done"] !== true || progress["matchCount"] !== 0) {
    return progress;
  }
  return dice.pick([progress, without(progress, "repositoriesCount"), { ...progress, repositoriesCount: 0 }]);
};

/** Without a reason there need not be a list of them. */
const withoutEmptyList = (progress: PayloadObject, dice: Dice): PayloadObject => {
  const { skipped } = progress;
  return dice.chance(0.2) && isPayloadArray(skipped) && skipped.length === 0 ? without(progress, "skipped") : progress;
};

const traces = ["https://traces.example/t/1?a=b&c=%20#d", "/-/traces/1", ""] as const;

/**
 * Another legal form of the same progress. What `matchCount` counts is not said, so all counts of one stream may be larger by
 * one factor, which is the same for all streams of a server. Source: search-stream, section 2.2.
 */
export const varyProgress = (progress: unknown, variation: ProgressVariation): unknown =>
  isPayloadObject(progress)
    ? withOtherOptionals(
        withoutEmptyList(
          {
            ...otherRepositories(progress, variation.dice),
            matchCount: Number(progress["matchCount"]) * variation.habits.countFactor,
            skipped: otherEntries(progress["skipped"], variation),
          },
          variation.dice,
        ),
        { trace: traces },
        variation.dice,
      )
    : progress;

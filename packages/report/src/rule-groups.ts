import { junitKind, type RuleVerdict, type VerdictOutcome } from "@assay/results";
import { type Sign, verdictWords } from "./outcome-words.ts";

/** Items that share a key, in the order in which keys first appear. */
export const groupedBy = <Item>(
  items: readonly Item[],
  keyOf: (item: Item) => string,
): readonly (readonly Item[])[] => {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group === undefined) {
      groups.set(key, [item]);
    } else {
      group.push(item);
    }
  }
  return [...groups.values()];
};

/** Rules of one operation of one interface, in the order given. */
export const byOperation = (verdicts: readonly RuleVerdict[]): readonly (readonly RuleVerdict[])[] =>
  groupedBy(verdicts, (rule) => JSON.stringify([rule.interface, rule.operation]));

const order = ["passed", "failed", "warned", "not-observed", "not-applicable", "could-not-run"] as const;
const words: Readonly<Record<VerdictOutcome, string>> = {
  passed: "hold",
  failed: "violated",
  warned: "warn",
  "not-observed": "not observed",
  "not-applicable": "not applicable",
  "could-not-run": "could not run",
};

/** How a group of rules went, such as `8 hold, 2 not observed`. */
export const countsOf = (rules: readonly RuleVerdict[]): string =>
  order
    .map((outcome) => ({ outcome, count: rules.filter(({ verdict }) => verdict.outcome === outcome).length }))
    .filter(({ count }) => count > 0)
    .map(({ outcome, count }) => `${count} ${outcome === "passed" && count === 1 ? "holds" : words[outcome]}`)
    .join(", ");

/** The gravest sign of a group: ✓ only when something holds and nothing is violated, warns or was kept from its evidence. */
export const signOf = (rules: readonly RuleVerdict[], strict: boolean): Sign => {
  const kinds = new Set(rules.map(({ verdict }) => junitKind(verdict, strict)));
  if (kinds.has("failure")) {
    return verdictWords.failed.sign;
  }
  if (kinds.has("error")) {
    return verdictWords["could-not-run"].sign;
  }
  if (kinds.has("warning")) {
    return verdictWords.warned.sign;
  }
  return kinds.has("passed") ? verdictWords.passed.sign : verdictWords["not-observed"].sign;
};

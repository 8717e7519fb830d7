import { nearestName, ruleIds } from "@assay/contract";
import type { RuleId } from "@assay/contract";

/** Returns the area of an id with its slash, such as `stream/`, or an empty string if there is no slash. */
const readArea = (id: string): string => id.slice(0, id.indexOf("/") + 1);

/**
 * Finds the rule that a mistyped word is closest to. Ties are resolved by the area in the word, then by catalogue order. Returns
 * undefined if no rule is close.
 */
export function findNearestRule(word: string): RuleId | undefined {
  const statement = word.slice(readArea(word).length);
  const candidates = ruleIds.filter((id) => readArea(word) === "" || readArea(id) === readArea(word));
  const ids = candidates.length > 0 ? candidates : ruleIds;
  const nearestStatement = nearestName(
    statement,
    ids.map((id) => id.slice(readArea(id).length)),
  );
  return nearestStatement === undefined
    ? undefined
    : ids.find((id) => id.slice(readArea(id).length) === nearestStatement);
}

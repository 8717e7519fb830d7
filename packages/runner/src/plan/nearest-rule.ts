import { nearestName, ruleIds } from "@assay/contract";
import type { RuleId } from "@assay/contract";

/** The part of an id up to and including the slash; empty without a slash. */
const areaOf = (id: string): string => id.slice(0, id.indexOf("/") + 1);

/**
 * The rule that a mistyped word may mean. Ties go to the area that the word names, then to catalogue order. `undefined` if no rule
 * is close.
 */
export function nearestRule(word: string): RuleId | undefined {
  const statement = word.slice(areaOf(word).length);
  const candidates = ruleIds.filter((id) => areaOf(word) === "" || areaOf(id) === areaOf(word));
  const ids = candidates.length > 0 ? candidates : ruleIds;
  const near = nearestName(
    statement,
    ids.map((id) => id.slice(areaOf(id).length)),
  );
  return near === undefined ? undefined : ids.find((id) => id.slice(areaOf(id).length) === near);
}

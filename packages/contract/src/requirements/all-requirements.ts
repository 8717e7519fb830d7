import { unspecifiedBehaviour } from "../unspecified-behaviour.ts";
import type { UnspecifiedId } from "../unspecified-behaviour.ts";
import { ruleIds, ruleRecord } from "../rule-catalogue.ts";
import type { RuleId } from "../rule-catalogue.ts";
import { requirementRows } from "./requirement-id.ts";
import type { RequirementId } from "./requirement-id.ts";
import { specificationNames } from "./requirement-row.ts";
import type { SpecificationName, RequirementRow } from "./requirement-row.ts";

/**
 * How a requirement is covered. `rules`: these rules judge it, in the order of the catalogue, at least one; `partly`
 * names the part that they do not judge yet. `unspecified`: it says that something is not shown. `not-observable`: no
 * behaviour of a target can contradict it, or nothing outside shows it.
 */
export type Coverage =
  | { readonly kind: "rules"; readonly rules: readonly RuleId[]; readonly partly?: string }
  | { readonly kind: "unspecified"; readonly behaviour: UnspecifiedId }
  | { readonly kind: "not-observable"; readonly reason: string };

/** One requirement of a specification: a sentence, or a row or cell of a table with its own statement. */
export interface Requirement {
  readonly id: RequirementId;
  readonly specification: SpecificationName;
  /** Number of the section, such as `2.2`. */
  readonly section: string;
  /** The requirement, in the words of this project. */
  readonly text: string;
  /** Derived from the rules and unspecified behaviours that cite the requirement. */
  readonly coverage: Coverage;
}

interface CitingRecord<Id> {
  readonly id: Id;
  readonly requirements: readonly RequirementId[];
}

/** Groups the ids of records by the requirements they cite, in the order of the records. */
function groupByRequirement<Id>(records: readonly CitingRecord<Id>[]): ReadonlyMap<RequirementId, readonly Id[]> {
  const citingIds = new Map<RequirementId, Id[]>();
  for (const { id, requirements } of records) {
    for (const requirement of requirements) {
      citingIds.set(requirement, [...(citingIds.get(requirement) ?? []), id]);
    }
  }
  return citingIds;
}

const rulesByRequirement = groupByRequirement(ruleIds.map((id) => ({ id, requirements: ruleRecord(id).requirements })));

/**
 * A behaviour leaves a requirement open only if the specification names it; one that it does not mention leaves none
 * open.
 */
const unspecifiedByRequirement = groupByRequirement(
  unspecifiedBehaviour.filter(({ origin }) => origin === "not-shown"),
);

function describeCoverage(id: RequirementId, row: RequirementRow): Coverage {
  if (typeof row !== "string" && "notObservable" in row) {
    return { kind: "not-observable", reason: row.notObservable };
  }
  const [behaviour] = unspecifiedByRequirement.get(id) ?? [];
  if (behaviour !== undefined) {
    return { kind: "unspecified", behaviour };
  }
  const rules = rulesByRequirement.get(id) ?? [];
  return typeof row === "string" ? { kind: "rules", rules } : { kind: "rules", rules, partly: row.partly };
}

const isRequirementId = (id: string): id is RequirementId => Object.hasOwn(requirementRows, id);

const findSpecification = (id: RequirementId): SpecificationName =>
  specificationNames.find((name) => id.startsWith(`${name}#`)) ?? "search-stream";

/**
 * Returns a requirement whose specification and section are parts of its id: before `#`, and between `#` and the last number.
 */
const toRequirement = (id: RequirementId): Requirement => {
  const row: RequirementRow = requirementRows[id];
  return {
    id,
    specification: findSpecification(id),
    section: id.slice(id.indexOf("#") + 1).replace(/\.\d+-.*$/, ""),
    text: typeof row === "string" ? row : row.text,
    coverage: describeCoverage(id, row),
  };
};

/** Every requirement of both specifications in their order, the streaming search first. */
export const allRequirements: readonly Requirement[] = Object.keys(requirementRows)
  .filter(isRequirementId)
  .map(toRequirement);

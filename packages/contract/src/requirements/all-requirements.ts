import { unspecifiedBehaviour } from "../unspecified-behaviour.ts";
import type { UnspecifiedId } from "../unspecified-behaviour.ts";
import { ruleIds, ruleRecord } from "../rule-catalogue.ts";
import type { RuleId } from "../rule-catalogue.ts";
import { requirementRows } from "./requirement-id.ts";
import type { RequirementId } from "./requirement-id.ts";
import { specificationNames } from "./requirement-row.ts";
import type { SpecificationName, RequirementRow } from "./requirement-row.ts";

/**
 * What is done about a sentence. `rules`: these rules judge it, at least one, in the order of the catalogue; `partly` names
 * what they do not show yet. `behaviour`: it says that something is not shown. `not-observable`: nothing a target does could
 * contradict it, or nothing outside shows it.
 */
export type Coverage =
  | { readonly kind: "rules"; readonly rules: readonly RuleId[]; readonly partly?: string }
  | { readonly kind: "unspecified"; readonly behaviour: UnspecifiedId }
  | { readonly kind: "not-observable"; readonly reason: string };

/** One statement of a document: a sentence, or a row or cell of a table that says something on its own. */
export interface Requirement {
  readonly id: RequirementId;
  readonly specification: SpecificationName;
  /** Number of the section, such as `2.2`. */
  readonly section: string;
  /** What is said, in words of this project. */
  readonly text: string;
  /** Derived: by the rules and unspecified whose records cite the sentence. */
  readonly coverage: Coverage;
}

interface Citing<Id> {
  readonly id: Id;
  readonly requirements: readonly RequirementId[];
}

/** By sentence, the ids of the records that cite it, in their order. */
function citations<Id>(records: readonly Citing<Id>[]): ReadonlyMap<RequirementId, readonly Id[]> {
  const cited = new Map<RequirementId, Id[]>();
  for (const { id, requirements } of records) {
    for (const sentence of requirements) {
      cited.set(sentence, [...(cited.get(sentence) ?? []), id]);
    }
  }
  return cited;
}

const rulesByRequirement = citations(ruleIds.map((id) => ({ id, requirements: ruleRecord(id).requirements })));

/** What a document is silent about says nothing of the requirements nearby: only a behaviour that a document names leaves a sentence open. */
const unspecifiedByRequirement = citations(unspecifiedBehaviour.filter(({ origin }) => origin === "not-shown"));

function coverageOf(id: RequirementId, row: RequirementRow): Coverage {
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

const specificationOf = (id: RequirementId): SpecificationName =>
  specificationNames.find((name) => id.startsWith(`${name}#`)) ?? "search-stream";

/** A sentence whose document and section are cut from its id: what is before `#`, and between it and the last number. */
const sentenceOf = (id: RequirementId): Requirement => {
  const row: RequirementRow = requirementRows[id];
  return {
    id,
    specification: specificationOf(id),
    section: id.slice(id.indexOf("#") + 1).replace(/\.\d+-.*$/, ""),
    text: typeof row === "string" ? row : row.text,
    coverage: coverageOf(id, row),
  };
};

/** Every statement of both specifications in their order, the streaming search first, each with what is done about it. */
export const allRequirements: readonly Requirement[] = Object.keys(requirementRows)
  .filter(isRequirementId)
  .map(sentenceOf);

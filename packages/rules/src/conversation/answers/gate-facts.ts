import type { FieldGate } from "@assay/contract";

/** Facts that violate a gate: forbidden ones that are present, and required ones that are missing. */
export const violatedFacts = (
  { forbids = [], requires = [] }: FieldGate,
  facts: ReadonlySet<string>,
): readonly string[] => [...forbids.filter((fact) => facts.has(fact)), ...requires.filter((fact) => !facts.has(fact))];

/** The gate with this name. An unknown name is a bug of the caller. */
export function gateNamed(gates: readonly FieldGate[], name: string): FieldGate {
  const gate = gates.find((candidate) => candidate.name === name);
  if (gate === undefined) {
    throw new RangeError(`no gate is called ${name}`);
  }
  return gate;
}

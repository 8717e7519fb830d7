import type { FieldGate } from "@assay/contract";

/** Returns the facts that violate a gate: forbidden facts that are present and required facts that are missing. */
export const findViolatedFacts = (
  { forbids = [], requires = [] }: FieldGate,
  facts: ReadonlySet<string>,
): readonly string[] => [...forbids.filter((fact) => facts.has(fact)), ...requires.filter((fact) => !facts.has(fact))];

/** Returns the gate with this name. An unknown name is a bug of the caller. */
export function findGate(gates: readonly FieldGate[], name: string): FieldGate {
  const gate = gates.find((candidate) => candidate.name === name);
  if (gate === undefined) {
    throw new RangeError(`there is no gate named ${name}`);
  }
  return gate;
}

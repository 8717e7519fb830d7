import type { FieldGate } from "@assay/contract";

/** Facts by which something departs from a gate: those it forbids and that hold, and those it requires and that do not. */
export const departingFacts = (
  { forbids = [], requires = [] }: FieldGate,
  facts: ReadonlySet<string>,
): readonly string[] => [...forbids.filter((fact) => facts.has(fact)), ...requires.filter((fact) => !facts.has(fact))];

/** The gate of this name. Gates are a closed list: a name that is none is a bug of the caller. */
export function gateNamed(gates: readonly FieldGate[], name: string): FieldGate {
  const gate = gates.find((candidate) => candidate.name === name);
  if (gate === undefined) {
    throw new RangeError(`no gate is called ${name}`);
  }
  return gate;
}

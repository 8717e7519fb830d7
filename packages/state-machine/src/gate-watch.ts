import type { FieldGate } from "@assay/contract";
import type { QuestionRow } from "./question-row.ts";
import { endsEarlier, showing } from "./witness.ts";
import type { Witness } from "./witness.ts";
import type { StateTable } from "./state-table.ts";

type Facts = ReadonlySet<string>;

const none: readonly string[] = [];
const isLifted = ({ unless = none }: FieldGate, facts: Facts): boolean => unless.some((fact) => facts.has(fact));
const holds = ({ forbids = none, requires = none }: FieldGate, facts: Facts): boolean =>
  !forbids.some((fact) => facts.has(fact)) && requires.every((fact) => facts.has(fact));

/** What a question has that its state forbids, and lacks of what it requires. */
function departureFrom({ forbids = none, requires = none }: FieldGate, facts: Facts): string {
  const present = forbids.filter((fact) => facts.has(fact));
  const missing = requires.filter((fact) => !facts.has(fact));
  return [
    ...(present.length > 0 ? [`with ${present.join(", ")}`] : []),
    ...(missing.length > 0 ? [`without ${missing.join(", ")}`] : []),
  ].join(" and ");
}

/** Looks at what a question has in the state it is in. */
export function watchGates(
  row: QuestionRow,
  witness: Witness,
  seen: { readonly table: StateTable; readonly state: number; readonly facts: Facts },
): void {
  const { table, state, facts } = seen;
  for (const { number, gate } of table.gatesOf(state)) {
    if (isLifted(gate, facts)) {
      continue;
    }
    row.looks[number] = (row.looks[number] ?? 0) + 1;
    if (!holds(gate, facts)) {
      const value = `${table.nameOf(state)} ${departureFrom(gate, facts)}`;
      row.broken[number] = firstOf(row.broken[number], showing(witness, value));
    }
  }
}

const firstOf = (known: Witness | undefined, witness: Witness): Witness =>
  known === undefined || endsEarlier(witness, known) ? witness : known;

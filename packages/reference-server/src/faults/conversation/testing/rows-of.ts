import type { Fault } from "../../fault.ts";
import type { FaultChoice } from "../../fault-registry.ts";

/** A fault with one choice of a setting. */
export interface FaultRow {
  readonly fault: Fault;
  readonly choice: FaultChoice;
  readonly text: string;
}

/** The fault with its defaults, and with each other choice of each setting. */
export const rowsOf = (fault: Fault): readonly FaultRow[] => [
  { fault, choice: { id: fault.id }, text: fault.id },
  ...Object.entries(fault.parameters).flatMap(([name, parameter]) =>
    ("choices" in parameter ? parameter.choices : [])
      .filter((choice) => choice !== parameter.default)
      .map((choice) => ({
        fault,
        choice: { id: fault.id, params: { [name]: choice } },
        text: `${fault.id}:${name}=${choice}`,
      })),
  ),
];

import { listFaults } from "@assay/reference-server";
import type { FaultSummary } from "@assay/reference-server";

/** A fault of the reference server, with one choice of a setting if it has any. */
export interface FaultRow {
  readonly fault: FaultSummary;
  readonly params: Readonly<Record<string, string>>;
  /** The fault in the form of `--fault`. */
  readonly text: string;
  /** Whether this is the default setting of the fault. */
  readonly isDefault: boolean;
}

function rowsOf(fault: FaultSummary): readonly FaultRow[] {
  const plain: FaultRow = { fault, params: {}, text: fault.id, isDefault: true };
  const others = Object.entries(fault.parameters).flatMap(([name, parameter]) =>
    "choices" in parameter
      ? parameter.choices
          .filter((choice) => choice !== parameter.default)
          .map((choice) => ({
            fault,
            params: { [name]: choice },
            text: `${fault.id}:${name}=${choice}`,
            isDefault: false,
          }))
      : [],
  );
  return [plain, ...others];
}

const isAboutConversations = ({ layer }: FaultSummary): boolean => layer === "conversation";

/** Every fault of streams with its defaults, and with each other choice of each setting, in the order of the registry. */
export const streamFaultRows: readonly FaultRow[] = listFaults()
  .filter((fault) => !isAboutConversations(fault))
  .flatMap((fault) => rowsOf(fault));

/** The same for the conversation API. */
export const conversationFaultRows: readonly FaultRow[] = listFaults()
  .filter((fault) => isAboutConversations(fault))
  .flatMap((fault) => rowsOf(fault));

/**
 * One fault with its defaults for each key, such as the probes that show it. Faults with few keys are taken first, and each brings
 * a new key, so the choice is always the same.
 */
export function oneForEachKey(
  rows: readonly FaultRow[],
  keysOf: (row: FaultRow) => readonly string[],
): readonly FaultRow[] {
  const taken = new Set<string>();
  const chosen = new Set<FaultRow>();
  const narrowestFirst = rows
    .filter(({ isDefault }) => isDefault)
    .map((row) => ({ row, keys: keysOf(row) }))
    .toSorted((one, other) => one.keys.length - other.keys.length);
  for (const { keys, row } of narrowestFirst) {
    if (keys.some((key) => !taken.has(key))) {
      chosen.add(row);
    }
    keys.forEach((key) => taken.add(key));
  }
  return rows.filter((row) => chosen.has(row));
}

import { listFaults } from "@assay/reference-server";
import type { FaultSummary } from "@assay/reference-server";

/** One way for the reference server to misbehave: a fault, and one choice of a setting where it has some. */
export interface FaultRow {
  readonly fault: FaultSummary;
  readonly params: Readonly<Record<string, string>>;
  /** The fault as `--fault` takes it. */
  readonly text: string;
  /** Whether this is what the fault does when nothing is set. */
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

/** Every fault of streams as it is, and with each other choice of each of its settings; in the order of the registry. */
export const streamFaultRows: readonly FaultRow[] = listFaults()
  .filter((fault) => !isAboutConversations(fault))
  .flatMap((fault) => rowsOf(fault));

/** The same for the conversation API. */
export const conversationFaultRows: readonly FaultRow[] = listFaults()
  .filter((fault) => isAboutConversations(fault))
  .flatMap((fault) => rowsOf(fault));

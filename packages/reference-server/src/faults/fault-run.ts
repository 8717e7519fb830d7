import { setTimeout as wait } from "node:timers/promises";
import type { PortContext } from "../service/ports.ts";

/** One request to which a fault is applied. */
export interface FaultRun extends PortContext {
  /** Returns the next number of a counter that starts at 0 with the server, so that a fault can affect only the first requests. */
  readonly nextNumber: () => number;
  /** State of the fault across requests. Empty when the server starts, and kept as long as the server runs. */
  readonly memory: Map<string, unknown>;
}

/** Waits for `milliseconds`, or until the client disconnects. */
export const pause = async ({ signal }: Pick<FaultRun, "signal">, milliseconds: number): Promise<void> => {
  await wait(milliseconds, undefined, { signal, ref: false }).catch(() => undefined);
};

import { setTimeout as wait } from "node:timers/promises";
import type { PortContext } from "../service/ports.ts";

/** What a running fault knows about its request. */
export interface FaultRun extends PortContext {
  /** A number from 0; the server gives each one out once, so that a fault can leave later requests alone. */
  readonly ticket: () => number;
  /** What the fault wants to remember from one request to the next: lives as long as the server, and is empty at the start. */
  readonly memory: Map<string, unknown>;
}

/** Waits so long, or until the client has left. */
export const pause = async ({ signal }: Pick<FaultRun, "signal">, milliseconds: number): Promise<void> => {
  await wait(milliseconds, undefined, { signal, ref: false }).catch(() => undefined);
};

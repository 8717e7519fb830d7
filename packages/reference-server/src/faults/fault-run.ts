import { setTimeout as wait } from "node:timers/promises";
import type { PortContext } from "../service/ports.ts";

/** A fault at work on one request. */
export interface FaultRun extends PortContext {
  /** Returns the next number from 0, unique on this server, so that a fault can spare later requests. */
  readonly ticket: () => number;
  /** State of the fault across requests. Empty at the start of the server, kept until its end. */
  readonly memory: Map<string, unknown>;
}

/** Waits for `ms` or until the client leaves. */
export const pause = async ({ signal }: Pick<FaultRun, "signal">, milliseconds: number): Promise<void> => {
  await wait(milliseconds, undefined, { signal, ref: false }).catch(() => undefined);
};

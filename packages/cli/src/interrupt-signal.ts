import type { InterruptSignal } from "@assay/results";

/** A signal that is aborted when the user interrupts; a second interrupt ends the process at once. */
export interface Interrupt {
  readonly signal: AbortSignal;
  dispose(): void;
}

const exitCodes = { SIGINT: 130, SIGTERM: 143 } as const;
const names = ["SIGINT", "SIGTERM"] as const satisfies readonly InterruptSignal[];

/** What is asked of a process. */
interface SignalSource {
  on(name: InterruptSignal, listener: () => void): unknown;
  off(name: InterruptSignal, listener: () => void): unknown;
  exit(code: number): never;
}

/** By which name a signal was aborted; SIGINT where it says nothing, or was not. */
export const interruptName = ({ reason }: AbortSignal): InterruptSignal =>
  reason === "SIGTERM" ? "SIGTERM" : "SIGINT";

/** The same; `undefined` for a signal that was not aborted. */
export const interruptOf = (signal: AbortSignal): InterruptSignal | undefined =>
  signal.aborted ? interruptName(signal) : undefined;

/** Listens for SIGINT and SIGTERM. The reason of the signal is the name. */
export function interruptSignal(source: SignalSource): Interrupt {
  const controller = new AbortController();
  const onSignal = (name: InterruptSignal): void => {
    if (controller.signal.aborted) {
      source.exit(exitCodes[name]);
    }
    controller.abort(name);
  };
  const listeners = names.map((name) => ({ name, listen: () => onSignal(name) }));
  for (const { name, listen } of listeners) {
    source.on(name, listen);
  }
  return {
    signal: controller.signal,
    dispose() {
      for (const { name, listen } of listeners) {
        source.off(name, listen);
      }
    },
  };
}

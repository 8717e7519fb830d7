import type { InterruptSignal } from "@assay/results";

/** A signal that an interrupt by the user aborts. A second interrupt exits the process immediately. */
export interface Interrupt {
  readonly signal: AbortSignal;
  dispose(): void;
}

const exitCodes = { SIGINT: 130, SIGTERM: 143 } as const;
const signalNames = ["SIGINT", "SIGTERM"] as const satisfies readonly InterruptSignal[];

/** The members of a process that are used here. */
interface SignalSource {
  on(name: InterruptSignal, listener: () => void): unknown;
  off(name: InterruptSignal, listener: () => void): unknown;
  exit(code: number): never;
}

/** Returns the operating-system signal that caused an abort, or SIGINT if it is unknown or the signal is not aborted. */
export const getInterruptNameOrDefault = ({ reason }: AbortSignal): InterruptSignal =>
  reason === "SIGTERM" ? "SIGTERM" : "SIGINT";

/** Like `getInterruptNameOrDefault`, but undefined for a signal that is not aborted. */
export const findInterruptName = (signal: AbortSignal): InterruptSignal | undefined =>
  signal.aborted ? getInterruptNameOrDefault(signal) : undefined;

/** Listens for SIGINT and SIGTERM. Their name becomes the abort reason. */
export function listenForInterrupt(source: SignalSource): Interrupt {
  const controller = new AbortController();
  const onSignal = (name: InterruptSignal): void => {
    if (controller.signal.aborted) {
      source.exit(exitCodes[name]);
    }
    controller.abort(name);
  };
  const listeners = signalNames.map((name) => ({ name, listen: () => onSignal(name) }));
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

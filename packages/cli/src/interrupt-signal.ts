/** A signal that is aborted when the user interrupts; a second interrupt ends the process at once. */
export interface Interrupt {
  readonly signal: AbortSignal;
  dispose(): void;
}

const exitCodes = { SIGINT: 130, SIGTERM: 143 } as const;
type SignalName = keyof typeof exitCodes;
const names = ["SIGINT", "SIGTERM"] as const satisfies readonly SignalName[];

/** What is asked of a process. */
interface SignalSource {
  on(name: SignalName, listener: () => void): unknown;
  off(name: SignalName, listener: () => void): unknown;
  exit(code: number): never;
}

/** Listens for SIGINT and SIGTERM. The reason of the signal is the name. */
export function interruptSignal(source: SignalSource): Interrupt {
  const controller = new AbortController();
  const onSignal = (name: SignalName): void => {
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

import { EventEmitter } from "node:events";
import { describe, expect, test } from "vitest";
import { listenForInterrupt } from "./interrupt-signal.ts";

/** A fake process that accepts signals and records its exit codes. */
function fakeProcess() {
  const emitter = new EventEmitter();
  const exits: number[] = [];
  const source = {
    on: (name: string, listener: () => void) => emitter.on(name, listener),
    off: (name: string, listener: () => void) => emitter.off(name, listener),
    exit: (code: number): never => {
      exits.push(code);
      throw new Error("ended");
    },
  };
  return { emitter, exits, interrupt: listenForInterrupt(source) };
}

describe("an interrupt", () => {
  test("has not happened at first", () => {
    expect(fakeProcess().interrupt.signal.aborted).toBe(false);
  });

  test.each(["SIGINT", "SIGTERM"])("by %s aborts once with its name, and does not end the process", (name) => {
    const { emitter, exits, interrupt } = fakeProcess();
    emitter.emit(name);
    expect([interrupt.signal.aborted, interrupt.signal.reason, exits]).toEqual([true, name, []]);
  });

  test.each([
    { first: "SIGINT", second: "SIGINT", code: 130 },
    { first: "SIGINT", second: "SIGTERM", code: 143 },
    { first: "SIGTERM", second: "SIGINT", code: 130 },
  ])("by $first and then $second ends the process at once with $code", ({ first, second, code }) => {
    const { emitter, exits } = fakeProcess();
    emitter.emit(first);
    expect(() => emitter.emit(second)).toThrow("ended");
    expect(exits).toEqual([code]);
  });

  test("is no longer listened for afterwards", () => {
    const { emitter, interrupt } = fakeProcess();
    interrupt.dispose();
    expect([emitter.emit("SIGINT"), emitter.emit("SIGTERM"), interrupt.signal.aborted]).toEqual([false, false, false]);
  });
});

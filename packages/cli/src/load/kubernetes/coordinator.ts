import { timingSafeEqual } from "node:crypto";
import { once } from "node:events";
import { type Server, type Socket, createServer } from "node:net";
import { createInterface } from "node:readline";
import { type LoadSide, loadSides } from "@assay/contract";
import { parseJson } from "@assay/evidence";
import { createDistressWatch } from "@assay/load";
import { member } from "@assay/reading";
import { type LoadOutcome, loadOutcomes } from "@assay/results";
import type { CoordinatorState } from "./coordinator-state.ts";

export interface CoordinatorOptions {
  readonly port: number;
  readonly host?: string;
  /** Runners show it, so that no other program can end or slow down the load. */
  readonly key: string;
  /** Whether a target that cannot handle the load ends it. */
  readonly endsOnDistress: boolean;
  readonly onState: (state: CoordinatorState) => void;
  readonly times?: CoordinatorTimes;
}

export interface CoordinatorTimes {
  /** Time between two states, and between two signs of life to the runners. */
  readonly intervalMs: number;
  /** A connection that does not show the key in this time is closed. */
  readonly helloMs: number;
}

const defaultTimes: CoordinatorTimes = { intervalMs: 1000, helloMs: 10_000 };

/** Coordinates the runners of a load. */
export interface Coordinator {
  readonly port: number;
  close(): Promise<void>;
}

/** Longer lines come from no runner. */
const maxLineLength = 4096;
const maxPauseMs = 60_000;

const isKey = (text: unknown, key: string): boolean => {
  const [given, expected] = [Buffer.from(typeof text === "string" ? text : ""), Buffer.from(key)];
  return given.length === expected.length && timingSafeEqual(given, expected);
};

const readCount = (value: unknown, name: string): number => {
  const count = member(value, name);
  return typeof count === "number" && Number.isSafeInteger(count) && count > 0 ? count : 0;
};

const readOutcome = (value: unknown): LoadOutcome =>
  loadOutcomes.find((outcome) => outcome === member(value, "lastFailure")) ?? "bad-status";

/** Failures in one report beyond this number do not change the decision. */
const maxReportedFailures = 100;

/** Sums what the runners report, and decides when the load must end. */
class LoadWatch {
  ok = 0;
  failed = 0;
  distress = 0;
  end: string | undefined;
  readonly #watch = createDistressWatch();
  readonly #endsOnDistress: boolean;

  constructor(endsOnDistress: boolean) {
    this.#endsOnDistress = endsOnDistress;
  }

  /** Adds the counts of a report. Its successes count as later than its failures, so that in doubt the load goes on. */
  add(counts: unknown): void {
    const [ok, failed] = [readCount(counts, "ok"), readCount(counts, "failed")];
    this.ok += ok;
    this.failed += failed;
    const endMs = performance.now();
    for (let index = 0; index < Math.min(failed, maxReportedFailures); index += 1) {
      const reason = this.#watch.add({ outcome: readOutcome(counts), endMs });
      if (reason !== undefined && ok === 0 && this.#endsOnDistress) {
        this.end ??= reason;
      }
    }
    if (ok > 0) {
      this.#watch.add({ outcome: "ok", endMs });
    }
  }
}

/** The runners that have shown the key. */
class Fleet {
  readonly #sockets = new Set<Socket>();

  get size(): number {
    return this.#sockets.size;
  }

  add(socket: Socket): void {
    this.#sockets.add(socket);
  }

  delete(socket: Socket): void {
    this.#sockets.delete(socket);
  }

  /** Sends a line to all runners except one. */
  send(message: object, except?: Socket): void {
    for (const socket of this.#sockets) {
      if (socket !== except) {
        socket.write(`${JSON.stringify(message)}\n`);
      }
    }
  }
}

interface Distress {
  readonly side: LoadSide;
  readonly pauseMs: number;
}

function readDistress(line: unknown): Distress | undefined {
  const distress = member(line, "distress");
  const side = loadSides.find((name) => name === member(distress, "side"));
  return side === undefined ? undefined : { side, pauseMs: Math.min(maxPauseMs, readCount(distress, "pauseMs")) };
}

async function listen(server: Server, { port, host }: CoordinatorOptions): Promise<number> {
  server.listen(port, host);
  await once(server, "listening");
  const address = server.address();
  return typeof address === "object" && address !== null ? address.port : port;
}

/**
 * Listens for the runners of a load. A target that asks one of them for fewer requests is reported to all others, which then pause as well.
 * If the target cannot handle the load by the rule for one machine, all runners end.
 */
export async function startCoordinator(options: CoordinatorOptions): Promise<Coordinator> {
  const { key, endsOnDistress, onState, times = defaultTimes } = options;
  const fleet = new Fleet();
  const sockets = new Set<Socket>();
  const watch = new LoadWatch(endsOnDistress);
  const endIfDecided = (): void => {
    if (watch.end !== undefined) {
      fleet.send({ end: watch.end });
    }
  };
  const onLine = (socket: Socket, line: unknown): void => {
    const distress = readDistress(line);
    if (distress !== undefined) {
      watch.distress += 1;
      fleet.send({ distress }, socket);
    }
    const counts = member(line, "counts");
    if (counts !== undefined) {
      watch.add(counts);
      endIfDecided();
    }
  };
  const server = createServer((socket) => {
    sockets.add(socket);
    let isKnown = false;
    const timer = setTimeout(() => socket.destroy(), times.helloMs);
    socket.on("error", () => socket.destroy());
    socket.once("close", () => {
      clearTimeout(timer);
      sockets.delete(socket);
      fleet.delete(socket);
    });
    const lines = createInterface({ input: socket });
    // It repeats the errors of the connection, such as the reset by a runner that was killed.
    lines.on("error", () => socket.destroy());
    lines.on("line", (text) => {
      const line = text.length > maxLineLength ? undefined : parseJson(text);
      if (isKnown) {
        onLine(socket, line);
      } else if (isKey(member(member(line, "hello"), "key"), key)) {
        isKnown = true;
        clearTimeout(timer);
        fleet.add(socket);
        endIfDecided();
      } else {
        socket.destroy();
      }
    });
  });
  const port = await listen(server, options);
  const interval = setInterval(() => {
    // A line without members is a sign of life.
    fleet.send({});
    const { ok, failed, distress, end } = watch;
    onState({ ok, failed, distress, runners: fleet.size, ...(end === undefined ? {} : { end }) });
  }, times.intervalMs);
  return {
    port,
    async close() {
      clearInterval(interval);
      for (const socket of sockets) {
        socket.destroy();
      }
      server.close();
      await once(server, "close");
    },
  };
}

import type { LayerName } from "./layers.ts";
import type { ProfileName } from "./stream-profiles.ts";

/** What speed is measured with. */
export interface SpeedTask {
  readonly profile: ProfileName;
  readonly minBytes: number;
  readonly rounds: number;
  readonly seed: number;
}

/** Medians of one profile. */
export interface SpeedResult extends SpeedTask {
  readonly bytes: number;
  readonly events: number;
  readonly largestEventBytes: number;
  readonly layers: readonly LayerResult[];
}

export interface LayerResult {
  readonly name: LayerName;
  readonly title: string;
  readonly medianMs: number;
  readonly megabytesPerSecond: number;
  /** Times as fast as `eventsource-parser` with its decoder, median of the rounds. */
  readonly timesStandardParser: number;
  /** Times as fast as `JSON.parse` alone, median of the rounds. */
  readonly timesJsonParse: number;
  /** Times as fast as `eventsource-parser`, `JSON.parse` and ajv, median of the rounds. */
  readonly timesTextbook: number;
}

/** A stream over loopback HTTP, judged by every rule while it arrives. */
export interface MemoryTask {
  readonly profile: ProfileName;
  readonly minBytes: number;
  readonly seed: number;
}

export interface MemoryResult extends MemoryTask {
  readonly bytes: number;
  readonly events: number;
  readonly largestEventBytes: number;
  /** Resident memory before the request was sent, validators compiled, and the most there ever was. */
  readonly idleBytes: number;
  readonly peakBytes: number;
  readonly seconds: number;
}

/** Events that arrive one after the other at a steady rate. */
export interface LatencyTask {
  /** `matches` events of about this many bytes. */
  readonly eventBytes: number;
  /** Events of all rounds together, without those that only warm the code up. */
  readonly events: number;
  readonly rounds: number;
  readonly everyMs: number;
  readonly seed: number;
}

export interface LatencyResult extends LatencyTask {
  /**
   * From the entry of the callback that brings the last byte of an event to the end of its judging; of both quantiles the
   * median of the rounds.
   */
  readonly medianMs: number;
  readonly p99Ms: number;
  /** The same for the events during whose judging no other process took the processor away [none were], and the share of the rest. */
  readonly undisturbedP99Ms?: number;
  readonly disturbedShare: number;
  /** Processor time of the judging process by wall time, sockets included. */
  readonly cpuShare: number;
}

/** What a server serves: a stream as fast as it is read, or single events at a steady rate. */
export type ServerTask =
  | ({ readonly kind: "full-speed" } & MemoryTask)
  | ({ readonly kind: "paced" } & Omit<LatencyTask, "rounds">);

/** Where a server listens, and what it is going to send. */
export interface ServerReady {
  readonly port: number;
  readonly largestEventBytes: number;
  /** Of a paced stream: bytes before the first `matches` event, and those of each such event, in turn. */
  readonly headBytes: number;
  readonly eventBytes: readonly number[];
}

/** Everything one run of the benchmarks has found. */
export interface BenchResult {
  readonly node: string;
  readonly cpus: number;
  readonly speed: readonly SpeedResult[];
  /** The same with short streams, for a quick comparison: their ratios are lower, because more of the time is warming up. */
  readonly quickSpeed: readonly SpeedResult[];
  readonly memory: readonly MemoryResult[];
  readonly latency: readonly LatencyResult[];
}

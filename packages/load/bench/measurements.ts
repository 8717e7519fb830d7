import type { ExchangeCounts } from "./k6-process.ts";

/** What reads the streams. */
export const clientNames = ["assay", "assay-kept", "peer", "xk6-sse", "http-get"] as const;
export type ClientName = (typeof clientNames)[number];

/** Clients that see single events; the others only wait for the end of the body. */
export const eventClients: readonly ClientName[] = ["assay", "assay-kept", "peer", "xk6-sse"];

/** How they are called in the report. */
export const clientTitles: Readonly<Record<ClientName, string>> = {
  assay: "`k6/x/assay` (ours): grammar and JSON of every event checked",
  "assay-kept": "the same, and every stream kept on disk without secrets, to be judged by all rules",
  peer: "peer built here: go-sse, a callback in JavaScript for each event, nothing parsed",
  "xk6-sse": "xk6-sse: a callback in JavaScript for each event, nothing parsed",
  "http-get": "stock `http.get`: end of the body, no events",
};

/** Numbers of streams at a time for which the time to first match is measured. */
export const concurrencies = [1, 12, 100] as const;
export type Concurrency = (typeof concurrencies)[number];

/** Time to first match as a client gives it minus the delay that the emitter made, over all rounds. */
export interface AccuracyResult {
  readonly client: ClientName;
  readonly concurrency: Concurrency;
  readonly streams: number;
  readonly medianMs: number;
  readonly p90Ms: number;
  readonly p99Ms: number;
  /** Processor time of k6, its start left out. */
  readonly cpuMsPerStream: number;
  /** Streams that could not begin because all virtual users were busy: the client could not keep up. */
  readonly dropped: number;
  /** The delays that the emitter made, for which 50 ms were wanted. */
  readonly emitterMedianMs: number;
  /** The median of each round. */
  readonly rounds: readonly number[];
}

/** What the streams of a measurement are like: in new ones no match comes a second time, in the others all do. */
export const streamKinds = ["small", "new-small", "large", "new-large"] as const;
export type StreamKind = (typeof streamKinds)[number];

/** Streams one after the other, as fast as the client and one core allow. */
export interface CapacityResult {
  readonly client: ClientName;
  readonly kind: StreamKind | "poll";
  /** Virtual users. */
  readonly users: number;
  /** In the measured stretch, which begins when all users are at work. */
  readonly streams: number;
  readonly wallSeconds: number;
  readonly cpuSeconds: number;
  readonly emitterCpuSeconds: number;
  /** Most resident memory of the whole run. */
  readonly peakBytes: number;
  /** Streams for each second of processor time, in each round. */
  readonly rounds: readonly number[];
  /** Of the exchanges of the whole run, how many are kept and how many were lost; absent where none are kept. */
  readonly exchanges?: Pick<ExchangeCounts, "sent" | "kept" | "lost">;
}

/** A fixed rate of polls. */
export interface PacedPolling {
  readonly ratePerSecond: number;
  readonly polls: number;
  readonly wallSeconds: number;
  readonly cpuSeconds: number;
}

export interface Machine {
  readonly node: string;
  readonly k6: string;
  readonly processor: string;
  readonly cpus: number;
  /** Whether k6 and the emitter were each kept on a core of their own. */
  readonly isPinned: boolean;
}

/** Everything one run of the benchmark has found. */
export interface LoadBenchResult {
  readonly machine: Machine;
  readonly seconds: number;
  readonly accuracy: readonly AccuracyResult[];
  readonly capacity: readonly CapacityResult[];
  readonly polling?: PacedPolling;
}

/** Streams for each second of processor time, which is what one core can do in a second. */
export const perCoreSecond = ({ streams, cpuSeconds }: Pick<CapacityResult, "streams" | "cpuSeconds">): number =>
  streams / cpuSeconds;

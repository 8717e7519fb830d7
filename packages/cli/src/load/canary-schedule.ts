import type { FooterInfo } from "@assay/evidence";
import type { Probe } from "@assay/runner";

const streamIntervalMs = 10_000;
const conversationIntervalMs = 60_000;
const minStreams = 3;
const maxStreams = 2000;

/** Returns `count` times, spread evenly over a duration, in milliseconds from its start. */
export const spreadEvenly = (durationMs: number, count: number): readonly number[] =>
  Array.from({ length: count }, (_, index) => ((index + 0.5) * durationMs) / count);

/** Counts the streams to check during a load: six a minute, at least three. */
export const countCanaryStreams = (durationMs: number): number =>
  Math.min(maxStreams, Math.max(minStreams, Math.round(durationMs / streamIntervalMs)));

/** Counts the conversations on each interface: one a minute, at least one, within the remaining questions. */
export const countCanaryRounds = (durationMs: number, questions: number, interfaces: number): number =>
  Math.min(Math.max(1, Math.floor(durationMs / conversationIntervalMs)), Math.floor(questions / interfaces));

/** Repeats the main user's probes in rotation up to `count`, so that each is sent equally often. */
export const rotateProbes = (probes: readonly Probe[], count: number): readonly Probe[] => {
  const mainProbes = probes.filter(({ credential }) => credential === "main");
  return mainProbes.length === 0
    ? []
    : Array.from({ length: count }, (_, index) => mainProbes[index % mainProbes.length]).filter(isPresent);
};

const isPresent = <Value>(value: Value | undefined): value is Value => value !== undefined;

/** Changes the advice after a timeout: the load sets the canary's time limit, so a longer load helps. */
export const adviseLongerLoad = (footer: FooterInfo): FooterInfo =>
  footer.ended === "stopped" && footer.cause === "deadline"
    ? {
        ...footer,
        reason: "the load ended before all canary requests were answered; use a longer --duration",
      }
    : footer;

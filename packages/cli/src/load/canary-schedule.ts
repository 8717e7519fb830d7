import type { FooterInfo } from "@assay/evidence";
import type { Probe } from "@assay/runner";

const streamEveryMs = 10_000;
const conversationsEveryMs = 60_000;
const fewestStreams = 3;
const mostStreams = 2000;

/** When each of so many things is to be done, evenly over a time; milliseconds from its start. */
export const evenlyOver = (durationMs: number, count: number): readonly number[] =>
  Array.from({ length: count }, (_, index) => ((index + 0.5) * durationMs) / count);

/** How many streams are judged beside a load of that length: six a minute, three at least. */
export const canaryStreams = (durationMs: number): number =>
  Math.min(mostStreams, Math.max(fewestStreams, Math.round(durationMs / streamEveryMs)));

/** How often a conversation is held on each of so many interfaces: once a minute, once at least, as far as the questions go. */
export const canaryRounds = (durationMs: number, questions: number, interfaces: number): number =>
  Math.min(Math.max(1, Math.floor(durationMs / conversationsEveryMs)), Math.floor(questions / interfaces));

/** Probes of the main user in turn: the first one first, and each as often as any other. */
export const repeatedProbes = (probes: readonly Probe[], count: number): readonly Probe[] => {
  const own = probes.filter(({ credential }) => credential === "main");
  return own.length === 0 ? [] : Array.from({ length: count }, (_, index) => own[index % own.length]).filter(isThere);
};

const isThere = <Value>(value: Value | undefined): value is Value => value !== undefined;

/** How a canary ended: it is the load that gives it its time, so of one whose time was up that is said, with what gives it more. */
export const endBesideLoad = (footer: FooterInfo): FooterInfo =>
  footer.ended === "stopped" && footer.cause === "deadline"
    ? {
        ...footer,
        reason: "the load was over before all that was asked beside it was answered; give a longer --duration",
      }
    : footer;

import type { ExchangeDraft } from "@assay/evidence";
import type { DoctorCheck } from "@assay/results";
import { inconclusive, ok, note, notChecked, problem } from "./check-results.ts";
import { findHeader } from "./arranged-evidence.ts";
import type { ArrangedEvidence } from "./arranged-evidence.ts";

const id = "clock";
const minNoteMs = 30_000;
const minProblemMs = 5 * 60_000;
/** Responses whose clocks differ by more than this come from different machines. */
const agreementMs = 60_000;
/** Resolution of the `Date` header. */
const dateStepMs = 1000;
const minAnswersForProblem = 3;

/** Bounds on how far the target's clock is ahead of ours, from one response. */
interface Bounds {
  readonly lowMs: number;
  readonly highMs: number;
}

/** Computes bounds from one response. The target set `Date` between our request and the response head, truncated to the second. */
function computeBounds(exchange: ExchangeDraft, clockStartedAtMs: number): readonly Bounds[] {
  const dateMs = Date.parse(findHeader(exchange, "date") ?? "");
  const { headersAtMicros, sentAtMicros } = exchange.times;
  // A cached response has the date of its creation.
  const isCached = Number(findHeader(exchange, "age") ?? "0") > 0;
  if (!Number.isFinite(dateMs) || headersAtMicros === undefined || isCached) {
    return [];
  }
  return [
    {
      lowMs: dateMs - (clockStartedAtMs + headersAtMicros / 1000),
      highMs: dateMs + dateStepMs - (clockStartedAtMs + sentAtMicros / 1000),
    },
  ];
}

const findMedian = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

function formatSpan(ms: number): string {
  const seconds = Math.round(ms / 1000);
  if (seconds < 120) {
    return `${seconds} s`;
  }
  const minutes = Math.round(seconds / 60);
  return minutes < 120 ? `${minutes} min` : `${Math.round(minutes / 60)} h`;
}

/** Returns the minimum error of the target's clock: positive if it is ahead, 0 if it may be correct. */
const findMinErrorMs = ({ highMs, lowMs }: Bounds): number => (lowMs > 0 ? lowMs : highMs < 0 ? highMs : 0);

function reportBounds(bounds: readonly Bounds[]): DoctorCheck {
  const medianBounds = {
    lowMs: findMedian(bounds.map(({ lowMs }) => lowMs)),
    highMs: findMedian(bounds.map(({ highMs }) => highMs)),
  };
  const minErrorMs = findMinErrorMs(medianBounds);
  const deviatingBounds = bounds.filter(
    ({ highMs, lowMs }) => lowMs > medianBounds.highMs + agreementMs || highMs < medianBounds.lowMs - agreementMs,
  );
  // At most a quarter of the responses may deviate.
  const hasConsensus = deviatingBounds.length * 4 <= bounds.length;
  const direction = minErrorMs > 0 ? "ahead of" : "behind";
  const message = `by the median of ${bounds.length} responses, it is at least ${formatSpan(Math.abs(minErrorMs))} ${direction} ours`;
  const advice = "synchronize both clocks over the network (NTP); a wrong clock breaks token expiry and retry times";
  if (Math.abs(minErrorMs) > minNoteMs && hasConsensus) {
    return Math.abs(minErrorMs) > minProblemMs && bounds.length >= minAnswersForProblem
      ? problem(id, [message, advice])
      : note(id, [message, advice]);
  }
  return deviatingBounds.length > 0
    ? note(id, [
        `${deviatingBounds.length} of ${bounds.length} responses disagree with the others about the time`,
        "several machines respond, and the clock of one is wrong: synchronize all of them over the network (NTP)",
      ])
    : ok(
        id,
        `accurate to within ${formatSpan(Math.max(1000, Math.abs(medianBounds.lowMs), Math.abs(medianBounds.highMs)))}, by ${bounds.length} responses`,
      );
}

/** Checks that the clock of the target agrees with ours, using the dates and arrival times of its responses. */
export function checkClock({ evidence }: ArrangedEvidence): DoctorCheck {
  const answeredExchanges = evidence.exchanges.filter(({ response }) => response !== undefined);
  if (answeredExchanges.length === 0) {
    return notChecked(id);
  }
  const bounds = answeredExchanges.flatMap((exchange) => computeBounds(exchange, evidence.clockStartedAtMs));
  return bounds.length === 0
    ? inconclusive(id, ["no response has a date", "forward the Date header, which HTTP requires"])
    : reportBounds(bounds);
}

import type { ExchangeDraft } from "@assay/evidence";
import type { DoctorCheck } from "@assay/results";
import { couldNotTell, fine, note, notAsked, problem } from "./findings.ts";
import { headerOf } from "./seen-answers.ts";
import type { SeenAnswers } from "./seen-answers.ts";

const id = "clock";
const noteMs = 30_000;
const problemMs = 5 * 60_000;
/** Answers whose clocks differ by more come from several machines. */
const agreementMs = 60_000;
/** Dates have whole seconds. */
const dateStepMs = 1000;
const minAnswers = 3;

/** Bounds from one answer on how far the clock of the target is ahead of ours. */
interface Bounds {
  readonly lowMs: number;
  readonly highMs: number;
}

/** The target wrote its date between our request and the response head; the date is truncated to the second. */
function boundsOf(exchange: ExchangeDraft, clockStartedAtMs: number): readonly Bounds[] {
  const dateMs = Date.parse(headerOf(exchange, "date") ?? "");
  const { headersAtMicros, sentAtMicros } = exchange.times;
  // A cached response has the date of its creation.
  const isCached = Number(headerOf(exchange, "age") ?? "0") > 0;
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

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

function spanOf(ms: number): string {
  const seconds = Math.round(ms / 1000);
  if (seconds < 120) {
    return `${seconds} s`;
  }
  const minutes = Math.round(seconds / 60);
  return minutes < 120 ? `${minutes} min` : `${Math.round(minutes / 60)} h`;
}

/** The minimum error of the clock, with its sign; 0 if it may be right. */
const minError = ({ highMs, lowMs }: Bounds): number => (lowMs > 0 ? lowMs : highMs < 0 ? highMs : 0);

function ofBounds(bounds: readonly Bounds[]): DoctorCheck {
  const middle = {
    lowMs: median(bounds.map(({ lowMs }) => lowMs)),
    highMs: median(bounds.map(({ highMs }) => highMs)),
  };
  const error = minError(middle);
  const others = bounds.filter(
    ({ highMs, lowMs }) => lowMs > middle.highMs + agreementMs || highMs < middle.lowMs - agreementMs,
  );
  const isAgreed = others.length * 4 <= bounds.length;
  const way = error > 0 ? "ahead of" : "behind";
  const found = `by the median of ${bounds.length} answers it is at least ${spanOf(Math.abs(error))} ${way} ours`;
  const advice =
    "have both machines take their time from the network (NTP); a wrong clock breaks the expiry of tokens and retry times";
  if (Math.abs(error) > noteMs && isAgreed) {
    return Math.abs(error) > problemMs && bounds.length >= minAnswers
      ? problem(id, [found, advice])
      : note(id, [found, advice]);
  }
  return others.length > 0
    ? note(id, [
        `${others.length} of ${bounds.length} answers have another time than the rest`,
        "several machines answer, and the clock of one is wrong: have all of them take their time from the network (NTP)",
      ])
    : fine(
        id,
        `right to within ${spanOf(Math.max(1000, Math.abs(middle.lowMs), Math.abs(middle.highMs)))}, by ${bounds.length} answers`,
      );
}

/** Checks that the clock of the target agrees with ours, from the dates and arrival times of its answers. */
export function checkClock({ evidence }: SeenAnswers): DoctorCheck {
  const answered = evidence.exchanges.filter(({ response }) => response !== undefined);
  if (answered.length === 0) {
    return notAsked(id);
  }
  const bounds = answered.flatMap((exchange) => boundsOf(exchange, evidence.clockStartedAtMs));
  return bounds.length === 0
    ? couldNotTell(id, ["no answer has a date", "let the Date header through, which HTTP requires"])
    : ofBounds(bounds);
}

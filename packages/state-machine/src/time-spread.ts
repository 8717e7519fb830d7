import { excerpt } from "./excerpt.ts";
import type { Instant } from "./instant.ts";
import { endsEarlier, showing } from "./witness.ts";
import type { Witness } from "./witness.ts";

interface TimeShown {
  readonly witness: Witness;
  readonly instant: Instant;
}

/** The earliest and the latest that a time which never changes was said to be. */
export interface TimeSpread {
  reads: number;
  earliest: TimeShown;
  latest: TimeShown;
}

/** Whether a time comes before the known one or, with `isEarlier` false, after it. */
function replaces({ witness, instant }: TimeShown, known: TimeShown, isEarlier: boolean): boolean {
  const { micros, unitMicros } = known.instant;
  if (instant.micros !== micros) {
    return instant.micros < micros === isEarlier;
  }
  return instant.unitMicros === unitMicros ? endsEarlier(witness, known.witness) : instant.unitMicros < unitMicros;
}

const shownAs = (witness: Witness, text: string, instant: Instant): TimeShown => ({
  witness: showing(witness, excerpt(text)),
  instant,
});

/** Adds a time that can be read; others are left alone. */
export function spread(
  known: TimeSpread | undefined,
  witness: Witness,
  { text, instant }: { readonly text: string | undefined; readonly instant: Instant },
): TimeSpread | undefined {
  if (text === undefined || Number.isNaN(instant.micros)) {
    return known;
  }
  if (known === undefined) {
    const shown = shownAs(witness, text, instant);
    return { reads: 1, earliest: shown, latest: shown };
  }
  const shown = { witness, instant };
  known.reads += 1;
  if (replaces(shown, known.earliest, true)) {
    known.earliest = shownAs(witness, text, instant);
  }
  if (replaces(shown, known.latest, false)) {
    known.latest = shownAs(witness, text, instant);
  }
  return known;
}

/**
 * The two times if they differ. Two spellings of different precision may stand for one time, cut off or rounded: they differ
 * only by at least the unit of the coarser one.
 */
export function timesApart({ earliest, latest }: TimeSpread): readonly [Witness, Witness] | undefined {
  const apart = latest.instant.micros - earliest.instant.micros;
  const unit =
    latest.instant.unitMicros === earliest.instant.unitMicros
      ? 1
      : Math.max(latest.instant.unitMicros, earliest.instant.unitMicros);
  return apart >= unit ? [earliest.witness, latest.witness] : undefined;
}

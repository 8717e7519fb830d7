/** A fraction of a load. `denominator` is above 0. */
interface Fraction {
  readonly numerator: bigint;
  readonly denominator: bigint;
}

/** A share of a load between two fractions, as in k6's `--execution-segment`. */
export interface ExecutionSegment {
  readonly from: Fraction;
  readonly to: Fraction;
}

const zero: Fraction = { numerator: 0n, denominator: 1n };
const one: Fraction = { numerator: 1n, denominator: 1n };

/** The whole load. */
export const wholeLoad: ExecutionSegment = { from: zero, to: one };

const fractionForm = /^(\d{1,18})(?:\/([1-9]\d{0,17}))?$/u;

const parseFraction = (text: string): Fraction | undefined => {
  const [, numerator, denominator = "1"] = fractionForm.exec(text) ?? [];
  return numerator === undefined ? undefined : { numerator: BigInt(numerator), denominator: BigInt(denominator) };
};

/** Returns a negative number if `first` is less, and 0 if both are equal. */
const compareFractions = (first: Fraction, second: Fraction): number => {
  const difference = first.numerator * second.denominator - second.numerator * first.denominator;
  return difference === 0n ? 0 : difference < 0n ? -1 : 1;
};

/** Parses a segment in k6's notation, such as `0:1/3`. Returns undefined for anything else. */
export const parseSegment = (text: string): ExecutionSegment | undefined => {
  const [first = "", second = "", ...extraParts] = text.split(":");
  const [from, to] = [parseFraction(first), parseFraction(second)];
  const isSegment =
    from !== undefined &&
    to !== undefined &&
    extraParts.length === 0 &&
    compareFractions(from, to) < 0 &&
    compareFractions(to, one) <= 0;
  return isSegment ? { from, to } : undefined;
};

const formatFraction = ({ numerator, denominator }: Fraction): string =>
  denominator === 1n ? `${numerator}` : `${numerator}/${denominator}`;

/** Formats a segment in k6's notation. */
export const formatSegment = ({ from, to }: ExecutionSegment): string =>
  `${formatFraction(from)}:${formatFraction(to)}`;

/** Reports whether two segments overlap. */
export const isOverlapping = (first: ExecutionSegment, second: ExecutionSegment): boolean =>
  compareFractions(first.from, second.to) < 0 && compareFractions(second.from, first.to) < 0;

/** Reports whether a segment is the whole load. */
export const isWholeLoad = ({ from, to }: ExecutionSegment): boolean =>
  compareFractions(from, zero) === 0 && compareFractions(to, one) === 0;

const sortSegments = (segments: readonly ExecutionSegment[]): readonly ExecutionSegment[] =>
  segments.toSorted((first, second) => compareFractions(first.from, second.from));

/** Returns the missing shares, in order. `segments` must not overlap. */
export const findMissingSegments = (segments: readonly ExecutionSegment[]): readonly ExecutionSegment[] => {
  const starts = [...sortSegments(segments).map(({ from }) => from), one];
  const ends = [zero, ...sortSegments(segments).map(({ to }) => to)];
  return ends.flatMap((from, index) => {
    const to = starts[index] ?? one;
    return compareFractions(from, to) < 0 ? [{ from, to }] : [];
  });
};

/** Joins adjacent segments. Returns the same shares in the fewest segments, in order. */
export const joinSegments = (segments: readonly ExecutionSegment[]): readonly ExecutionSegment[] =>
  findMissingSegments(findMissingSegments(segments));

/** Parses `1/4:1/2` into the two fractions, each as numerator and denominator. */
const parseSegment = (text) =>
  text.split(":").map((fraction) => {
    const [numerator, denominator = "1"] = fraction.split("/");
    return [BigInt(numerator), BigInt(denominator)];
  });

const isEqual = ([left, leftUnit], [right, rightUnit]) => left * rightUnit === right * leftUnit;
const isBefore = ([left, leftUnit], [right, rightUnit]) => left * rightUnit < right * leftUnit;

/** Reports whether segments are disjoint and together the whole load: each begins where the one before it ends, from 0 to 1. */
export function coverLoadOnce(texts) {
  const segments = texts.map(parseSegment).toSorted(([left], [right]) => (isBefore(left, right) ? -1 : 1));
  let end = [0n, 1n];
  for (const [from, to] of segments) {
    if (!isEqual(from, end) || !isBefore(from, to)) {
      return false;
    }
    end = to;
  }
  return isEqual(end, [1n, 1n]);
}

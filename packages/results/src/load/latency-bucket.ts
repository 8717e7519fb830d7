/** Values below this have one bucket each. */
const exactBelow = 256;
const stepsPerPowerOfTwo = 128;
const exactBits = 7;

/** Returns the bucket of a latency in microseconds, rounded to a whole number of at least 0. Exact for every safe integer. */
export const latencyBucket = (micros: number): number => {
  const value = Math.max(0, Math.round(micros));
  if (value < exactBelow) {
    return value;
  }
  let exponent = Math.floor(Math.log2(value)) - exactBits;
  // The logarithm of a number just below a power of two may round up to it.
  if (value < 2 ** (exponent + exactBits)) {
    exponent -= 1;
  }
  return stepsPerPowerOfTwo * exponent + Math.floor(value / 2 ** exponent);
};

/** Returns the values of a bucket: whole numbers from `lowMicros` to `highMicros`, both included. */
export const bucketBounds = (bucket: number): { readonly lowMicros: number; readonly highMicros: number } => {
  if (bucket < exactBelow) {
    return { lowMicros: bucket, highMicros: bucket };
  }
  const exponent = Math.floor(bucket / stepsPerPowerOfTwo) - 1;
  const width = 2 ** exponent;
  const lowMicros = (bucket - stepsPerPowerOfTwo * exponent) * width;
  return { lowMicros, highMicros: lowMicros + width - 1 };
};

/** The bucket of the largest safe integer. */
export const maxBucket: number = latencyBucket(Number.MAX_SAFE_INTEGER);

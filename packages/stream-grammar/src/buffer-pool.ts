import { Buffer } from "node:buffer";

const minPower = 12;
const maxFreePerSize = 8;
/** Sizes above this power of two keep only one free buffer, because long lines are rare. */
const maxSharedPower = 20;
/** Free buffers by power of two, shared by all streams. Only unfinished lines occupy memory. */
const freeBuffers: Buffer[][] = Array.from({ length: 32 }, () => []);

/** Returns a buffer of at least `bytes` bytes with unspecified content. */
export function acquireBuffer(bytes: number): Buffer {
  const power = Math.max(minPower, 32 - Math.clz32(Math.max(1, bytes - 1)));
  return freeBuffers[power]?.pop() ?? Buffer.allocUnsafeSlow(2 ** power);
}

/** Returns a buffer to the pool. The caller must not use it afterwards. */
export function releaseBuffer(buffer: Buffer): void {
  if (buffer.length === 0) {
    return;
  }
  const power = 31 - Math.clz32(buffer.length);
  const buffersOfSize = freeBuffers[power];
  if (buffersOfSize !== undefined && buffersOfSize.length < (power > maxSharedPower ? 1 : maxFreePerSize)) {
    buffersOfSize.push(buffer);
  }
}

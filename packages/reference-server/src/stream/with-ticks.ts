const raceWithTimer = async <Value>(pending: Promise<Value>, timeoutMs: number): Promise<Value | undefined> => {
  let timer: NodeJS.Timeout | undefined;
  const tick = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), timeoutMs);
  });
  try {
    return await Promise.race([pending, tick]);
  } finally {
    clearTimeout(timer);
  }
};

/** The values of a source and, each time it is silent for `tickMs`, an `undefined`. Ends and fails with the source. */
export async function* withTicks<Value extends object>(
  source: AsyncIterable<Value>,
  tickMs: number,
): AsyncGenerator<Value | undefined> {
  const iterator = source[Symbol.asyncIterator]();
  const advance = (): Promise<IteratorResult<Value>> => {
    const step = iterator.next();
    // Nobody may be waiting any more when it fails; whoever waits still gets the failure.
    step.catch(() => undefined);
    return step;
  };
  try {
    let pending = advance();
    for (;;) {
      const step = await raceWithTimer(pending, tickMs);
      if (step?.done === true) {
        return;
      }
      yield step?.value;
      if (step !== undefined) {
        pending = advance();
      }
    }
  } finally {
    await iterator.return?.();
  }
}

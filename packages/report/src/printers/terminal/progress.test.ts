import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { countDisplayColumns } from "./display-columns.ts";
import { formatCountedProgress, createProgress, renderProgressLine } from "./progress.ts";

const erase = "\r\u001B[K";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const shown = (isLive: boolean, columns = 60) => {
  const written: string[] = [];
  const progress = createProgress({ write: (text) => written.push(text), isLive, columns: () => columns });
  return { written, progress, text: () => written.join("") };
};

const probes = (done: number) => formatCountedProgress(done, 100, "probes");

describe("the line", () => {
  const state = { ...formatCountedProgress(120, 204, "probes"), remark: "polling" };
  test.each([
    { columns: 80, is: "[===========>        ] 120 of 204 probes · 15 s left  polling" },
    { columns: 60, is: "[===========>        ] 120 of 204 probes · 15 s left  polli" },
    { columns: 40, is: "[===>   ] 120 of 204 probes · 15 s left" },
    { columns: 34, is: "120 of 204 probes · 15 s left  po" },
    { columns: 10, is: "120 of 20" },
  ])("of $columns columns keeps the count longest and never reaches the last one", ({ columns, is }) => {
    expect(renderProgressLine(state, 12_000, columns)).toBe(is);
    expect(countDisplayColumns(is)).toBeLessThan(columns);
  });

  test.each([
    { remainingMs: 0, is: "1 s left" },
    { remainingMs: 7400, is: "8 s left" },
    { remainingMs: 31_000, is: "35 s left" },
    { remainingMs: 120_000, is: "120 s left" },
    { remainingMs: 200_000, is: "3 min left" },
  ])("rounds $remainingMs ms that are left", ({ remainingMs, is }) => {
    expect(renderProgressLine({ text: "a" }, remainingMs, 80)).toBe(`a · ${is}`);
  });

  test.each([
    { share: 0, is: "[                    ] a" },
    { share: 0.01, is: "[                    ] a" },
    { share: 0.5, is: "[=========>          ] a" },
    { share: 1, is: "[====================] a" },
    { share: 2, is: "[====================] a" },
  ])("draws a share of $share", ({ share, is }) => {
    expect(renderProgressLine({ text: "a", share }, undefined, 80)).toBe(is);
  });

  test("has no control characters of its text", () => {
    expect(renderProgressLine({ text: "a\u001B[2J\n", remark: "\r" }, undefined, 80)).toBe("a\\x1b[2J\\n  \\r");
  });
});

describe("on a terminal", () => {
  test("work of less than a second shows nothing", () => {
    const { progress, text } = shown(true);
    progress.state(probes(1));
    vi.advanceTimersByTime(900);
    progress.state(probes(99));
    progress.end();
    vi.advanceTimersByTime(60_000);
    expect(text()).toBe("");
  });

  test("one line is rewritten, even without new states, and erased at the end", () => {
    const { progress, written } = shown(true);
    progress.state(probes(0));
    vi.advanceTimersByTime(1000);
    progress.note("a probe failed");
    progress.end();
    const line = "[                    ] 0 of 100 probes";
    expect(written).toEqual([`${erase}${line}`, `${erase}a probe failed\n${line}`, erase]);
  });

  test("many states are drawn at most ten times a second", () => {
    const { progress, written } = shown(true);
    for (let ms = 0; ms < 3000; ms += 10) {
      progress.state(probes(ms / 30));
      vi.advanceTimersByTime(10);
    }
    expect(written.length).toBeLessThanOrEqual(21);
  });
});

describe("not on a terminal", () => {
  test("there is a plain line every ten seconds, and every note", () => {
    const { progress, text } = shown(false);
    for (let second = 0; second < 25; second += 1) {
      progress.state({ text: `second ${second}`, remark: "a search" });
      vi.advanceTimersByTime(1000);
    }
    progress.note("the\u001B[31m end");
    progress.end();
    vi.advanceTimersByTime(60_000);
    expect(text()).toBe("second 9  a search\nsecond 19  a search\nthe\\x1b[31m end\n");
  });
});

describe("the time left", () => {
  /** The time left, shown at each second, for progress by `doneAt`. */
  const shownLeft = (doneAt: (second: number) => number, seconds: number): readonly (number | undefined)[] => {
    const { progress, written } = shown(true);
    return Array.from({ length: seconds }, (_, second) => {
      progress.state(probes(doneAt(second)));
      vi.advanceTimersByTime(1000);
      const left = /· (\d+) s left/u.exec(written.at(-1) ?? "")?.[1];
      return left === undefined ? undefined : Number(left);
    });
  };

  test("is shown after three seconds and a tenth of the work", () => {
    expect(shownLeft((second) => (second + 1) * 5, 5)).toEqual([undefined, undefined, 20, 20, 15]);
    expect(shownLeft((second) => second, 9).every((left) => left === undefined)).toBe(true);
  });

  test("changes slowly if the work progresses in bursts", () => {
    const lefts = shownLeft((second) => Math.floor(second / 4) * 16, 24).flatMap((left) => left ?? []);
    const jumps = lefts.slice(1).map((left, at) => left - (lefts[at] ?? left));
    expect(Math.max(...jumps)).toBeLessThanOrEqual(5);
  });

  test("is estimated again if other work begins", () => {
    const lefts = shownLeft((second) => (second < 8 ? second * 12 : (second - 8) * 5), 11);
    expect(lefts.slice(8)).toEqual([undefined, undefined, undefined]);
  });
});

test("a closed pipe does not stop the work, and is not written to again", () => {
  let writes = 0;
  const gone = (): never => {
    writes += 1;
    throw new Error("EPIPE");
  };
  const progress = createProgress({ write: gone, isLive: true, columns: () => 80 });
  progress.note("a");
  progress.note("b");
  progress.end();
  expect(writes).toBe(1);
});

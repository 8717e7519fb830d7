import { expect, test } from "vitest";
import { createLoadProgress } from "./load-progress.ts";

const reported = (isLive: boolean) => {
  const written: string[] = [];
  let atMs = 0;
  const progress = createLoadProgress({ write: (text) => written.push(text), nowMs: () => atMs, isLive, columns: 20 });
  return { written, progress, pass: (ms: number) => void (atMs += ms) };
};

test("a terminal has one line that is rewritten and never wraps", () => {
  const { written, progress } = reported(true);
  progress.state("1 s of 10 s, and much more");
  progress.note("something happened");
  progress.end();
  expect(written).toEqual(["\r\u001B[K1 s of 10 s, and mu", "\r\u001B[Ksomething happened\n", "\r\u001B[K"]);
});

test("a log has a line every ten seconds, and every note", () => {
  const { written, progress, pass } = reported(false);
  for (let second = 0; second < 25; second += 1) {
    progress.state(`second ${second}`);
    pass(1000);
  }
  progress.note("the end");
  progress.end();
  expect(written).toEqual(["second 0\n", "second 10\n", "second 20\n", "the end\n"]);
});

test("text from elsewhere is made visible", () => {
  const { written, progress } = reported(false);
  progress.note("a\u001B[31m\nb");
  expect(written).toEqual(["a\\x1b[31m\\nb\n"]);
});

test("a reader that went away stops nothing", () => {
  const gone = (): never => {
    throw new Error("EPIPE");
  };
  const progress = createLoadProgress({ write: gone, nowMs: () => 0, isLive: true, columns: 80 });
  expect(() => progress.state("on")).not.toThrow();
});

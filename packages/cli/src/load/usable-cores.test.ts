import { expect, test } from "vitest";
import { parseCpuMax, countUsableCores } from "./usable-cores.ts";

test.each<[string, string, number]>([
  ["without a limit has all of them", "max 100000\n", 8],
  ["with a quota has its share", "250000 100000\n", 2.5],
  ["with more than there are has all of them", "1600000 100000\n", 8],
  ["that says something else does not say how many", "much", Number.NaN],
])("a container %s", (_name, cpuMax, cores) => {
  expect(parseCpuMax(cpuMax, 8)).toBe(cores);
});

test("this process may use some", () => {
  expect(countUsableCores()).toBeGreaterThan(0);
});

import { HarnessError } from "@assay/contract";
import { describe, expect, test } from "vitest";
import { resolveLoadLimits } from "./load-safety.ts";
import type { LoadOptions } from "./load-options.ts";

const options = (given: Partial<LoadOptions> = {}): LoadOptions => ({ canary: true, ...given });
const here = "http://127.0.0.1:3080";
const there = "https://search.example.com/sub";
const staging = "https://staging.example.com:8443";

describe("load is allowed", () => {
  test.each([
    ["on this machine without a word", [here], {}, { name: "local", maxRatePerSecond: Number.POSITIVE_INFINITY }],
    ["on this machine by IPv6", ["http://[::1]:80"], {}, { name: "local" }],
    ["on this machine with other limits", [here], { limits: "production" }, { name: "production", questions: 0 }],
    [
      "elsewhere when it is named",
      [there],
      { limits: "staging", confirmHost: ["search.example.com"] },
      { name: "staging", questions: 25 },
    ],
    [
      "on two instances when both are named",
      [there, staging],
      { limits: "production", confirmHost: ["staging.example.com", "search.example.com"], questions: 7, rate: 2 },
      { name: "production", questions: 7, maxRatePerSecond: 2 },
    ],
  ] as const)("%s", (...row) => {
    const [, urls, given, limits] = row;
    expect(resolveLoadLimits(urls, options(given))).toMatchObject(limits);
  });
});

describe("load is refused", () => {
  test.each([
    ["elsewhere without limits", [there], { confirmHost: ["search.example.com"] }, /not this machine.*--limits/u],
    [
      "elsewhere without confirmation",
      [there],
      { limits: "staging" },
      /confirmed with --confirm-host search\.example\.com/u,
    ],
    [
      "where another host was confirmed",
      [there],
      { limits: "staging", confirmHost: ["example.com"] },
      /names example\.com$/u,
    ],
    ["on the head only", [here, there], { limits: "staging" }, /--confirm-host search\.example\.com/u],
    [
      "on one of two that was not named",
      [staging, there],
      { limits: "staging", confirmHost: ["staging.example.com"] },
      /load on search\.example\.com must be confirmed/u,
    ],
    ["on a host that only begins like this machine", ["http://127.0.0.1.example.com"], {}, /is not this machine/u],
    [
      "on a host whose name is part of a confirmed one",
      ["https://a.example.com"],
      { limits: "staging", confirmHost: ["b.a.example.com"] },
      /must be confirmed/u,
    ],
    ["beyond the rate of production", [here], { limits: "production", rate: 2.5 }, /--rate 2\.5 is more than the 2 /u],
  ] as const)("%s", (...row) => {
    const [, urls, given, says] = row;
    expect(() => resolveLoadLimits(urls, options(given))).toThrow(HarnessError);
    expect(() => resolveLoadLimits(urls, options(given))).toThrow(says);
  });
});

import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { callAssay } from "../testing/call-assay.ts";
import { temporaryFolder } from "../testing/temporary-folder.ts";

const cwd = temporaryFolder();

/** A program that answers as a k6 without the extension does. */
function stockK6(): string {
  const path = join(cwd, "stock-k6");
  writeFileSync(
    path,
    '#!/bin/sh\nif [ "$1" = version ]; then echo "k6 v2.3.0 (go1.26.0, linux/amd64)"; exit 0; fi\nexit 107\n',
  );
  chmodSync(path, 0o755);
  return path;
}

const sentence = /^assay: [^\n]+\n(?:See `assay [a-z ]*--help`\.\n)?$/u;

describe("a contradictory call fails with 2 and one sentence", () => {
  test.each<{ name: string; args: readonly string[]; env?: Readonly<Record<string, string>>; says: RegExp }>([
    { name: "a mistyped scenario", args: ["search-first-mach"], says: /did you mean `search-first-match`/u },
    {
      name: "a mistyped preset",
      args: ["search-first-match", "--preset", "standart"],
      says: /Did you mean "standard"/u,
    },
    {
      name: "a mistyped shape",
      args: ["search-first-match", "--shape", "brakepoint"],
      says: /Did you mean "breakpoint"/u,
    },
    { name: "mistyped limits", args: ["search-first-match", "--limits", "stagin"], says: /Did you mean "staging"/u },
    {
      name: "a mistyped latency",
      args: ["search-first-match", "--latency", "lapptop"],
      says: /Did you mean "laptop"/u,
    },
    {
      name: "a time without a unit",
      args: ["search-first-match", "--duration", "15"],
      says: /a time with its unit, such as 15s/u,
    },
    {
      name: "a meaningless threshold",
      args: ["search-first-match", "--threshold", "fast"],
      says: /threshold `fast`/u,
    },
    {
      name: "a meaningless threshold that only warns",
      args: ["search-first-match", "--warn-threshold", "first-match p95"],
      says: /threshold `first-match p95`/u,
    },
    {
      name: "a threshold that could not end a run",
      args: ["search-first-match", "--abort-threshold", "poll p95 < 5"],
      says: /number of samples of poll is unknown until the run has ended/u,
    },
    {
      name: "a threshold that no run could keep",
      args: ["search-first-match", "--threshold", "ok-rate > 100%"],
      says: /no run could meet it; write `ok-rate >= 1`/u,
    },
    {
      name: "a threshold on what the scenario does not ask",
      args: ["search-first-match", "--threshold", "poll p95 < 800"],
      says: /search-first-match has no metric `poll`; it has headers, first-event, first-match, stream, start-lag\n/u,
    },
    {
      name: "a threshold on what the scenario does not search",
      args: ["conversation-poll", "--warn-threshold", "first-match p95 < 800"],
      says: /conversation-poll has no metric `first-match`; it has create, poll/u,
    },
    { name: "a scenario file that is not there", args: ["./own.ts"], says: /no scenario file \.\/own\.ts/u },
    {
      name: "a head without a base",
      args: ["search-first-match", "--against", "http://127.0.0.1:1"],
      says: /you set with --url or SRC_ENDPOINT/u,
    },
    {
      name: "two embedded servers and a target",
      args: ["search-first-match", "--against", "embedded", "--url", "http://127.0.0.1:1"],
      says: /starts two embedded servers/u,
    },
    {
      name: "a target elsewhere",
      args: ["search-first-match", "--url", "https://search.example.com"],
      says: /search\.example\.com is not this machine/u,
    },
    {
      name: "a head elsewhere that was not confirmed",
      args: [
        "search-first-match",
        "--url",
        "https://a.example.com",
        "--against",
        "https://b.example.com",
        "--limits",
        "staging",
        "--confirm-host",
        "a.example.com",
      ],
      says: /load on b\.example\.com must be confirmed/u,
    },
    {
      name: "an endpoint that is set and empty",
      args: ["search-first-match"],
      env: { SRC_ENDPOINT: "" },
      says: /SRC_ENDPOINT is set but empty/u,
    },
    {
      name: "questions where none may be asked",
      args: ["conversation-poll", "--url", "http://127.0.0.1:1", "--limits", "production"],
      says: /this target allows none/u,
    },
    {
      name: "a k6 that is not there",
      args: ["search-first-match"],
      env: { ASSAY_K6: "/nowhere/k6" },
      says: /ASSAY_K6.*npm run k6:build.*PATH/u,
    },
    {
      name: "a stock k6",
      args: ["search-first-match"],
      env: { ASSAY_K6: stockK6() },
      says: /stock-k6 lacks the module k6\/x\/assay, which records the samples of a load/u,
    },
  ])("$name", async ({ args, env = {}, says }) => {
    const { code, out, err } = await callAssay(["load", ...args], { cwd, env });
    expect([code, out]).toEqual([2, ""]);
    expect(err).toMatch(sentence);
    expect(err).toMatch(says);
  });

  test.each<{ name: string; args: readonly string[]; says: RegExp }>([
    { name: "no run", args: ["compare", "nowhere", "elsewhere"], says: /neither a load run|no load run `nowhere`/u },
    {
      name: "a folder without runs",
      args: ["compare", ".", "."],
      says: /contains no load run: there is no load\.json/u,
    },
    { name: "nothing named", args: ["compare", ",", "x"], says: /no load run was passed/u },
    { name: "a single run to merge", args: ["load", "merge", "nowhere"], says: /no load run `nowhere`/u },
    { name: "a baseline of nothing", args: ["baseline", "set", "released", "nowhere"], says: /no load run `nowhere`/u },
  ])("$name: assay $args", async ({ args, says }) => {
    const { code, out, err } = await callAssay(args, { cwd });
    expect([code, out]).toEqual([2, ""]);
    expect(err).toMatch(sentence);
    expect(err).toMatch(says);
  });
});

test("a mistyped run is answered with the nearest one", async () => {
  const folder = join(cwd, "reports/runs/20260102T030405Z-abcdef");
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "load.json"), "{}");
  const { code, err } = await callAssay(["compare", "20260102T030405Z-abcdeg", "x"], { cwd });
  expect([code, err]).toEqual([2, expect.stringContaining("did you mean `20260102T030405Z-abcdef`?")]);
});

test("no baseline is no mistake", async () => {
  const { code, out } = await callAssay(["baseline", "list"], { cwd });
  expect([code, out]).toEqual([0, "no baselines yet; create one with `assay baseline set`\n"]);
});

test.each(["load", "compare", "baseline"])("the help of %s has examples first and fits a screen", async (name) => {
  const { code, out } = await callAssay([name, "--help"], { cwd });
  const lines = out.trimEnd().split("\n");
  expect([code, lines[0], lines.length < 57]).toEqual([0, "Examples:", true]);
});

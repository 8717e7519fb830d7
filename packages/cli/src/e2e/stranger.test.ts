import { readFileSync } from "node:fs";
import { join } from "node:path";
import { everyNth } from "@assay/config/proving";
import type { RunResult } from "@assay/results";
import { beforeAll, describe, expect, test } from "vitest";
import { hasTool } from "../testing/require-tool.ts";
import { judgeInProcess, speaking } from "../testing/run-in-process.ts";
import { startStranger, strangersDeviations } from "../testing/stranger.ts";
import type { Deviation } from "../testing/stranger.ts";
import { temporaryFolder } from "../testing/temporary-folder.ts";

const folder = temporaryFolder();
const isThere = hasTool("python3");
const title = isThere ? "" : " (skipped: no python3)";

/** Faults that no rule sees, with the reason why that is right or what is missing; each other fault is seen. */
const unseen: Readonly<Record<string, string>> = JSON.parse(
  readFileSync(new URL("../../stranger/unseen.json", import.meta.url), "utf8"),
);

/** Variations that a rule speaks of, with the sentence that it has for it. */
const disputed: Readonly<Record<string, string>> = JSON.parse(
  readFileSync(new URL("../../stranger/disputed.json", import.meta.url), "utf8"),
);

/** Variations of which a release cannot be told to keep the contract, with the reason: such a run ends with 3. */
const inconclusive: Readonly<Record<string, string>> = JSON.parse(
  readFileSync(new URL("../../stranger/inconclusive.json", import.meta.url), "utf8"),
);

type Judged = "stream" | "legacy" | "current";

/** The interfaces that a deviation can be seen in. */
const interfacesOf = ({ name, api }: Deviation): readonly Judged[] =>
  api === "migration" || name.startsWith("any-") ? ["legacy", "current"] : [api];

/** What an operator would say of the stranger. */
const declared = { access: "private", sharing: "on" };
const otherwise: Readonly<Record<string, Partial<typeof declared>>> = {
  "stream-public": { access: "public" },
  "legacy-sharing-off": { sharing: "off" },
  "l-share-while-off": { sharing: "off" },
};

/** A run against the stranger: all rules, every credential. */
async function runAgainst(out: string, interfaces: readonly Judged[], deviation?: Deviation): Promise<RunResult> {
  const server = await startStranger(deviation);
  try {
    const given = { ...declared, ...(deviation === undefined ? {} : otherwise[deviation.name]) };
    const options = { ...given, out: join(folder, out), url: server.url, interface: interfaces, questionTimeout: 8 };
    const ended = await judgeInProcess({ ...options, profile: "release" }, server.env);
    return ended.result;
  } finally {
    server.close();
  }
}

/**
 * A run against the stranger with a deviation, again until that is enough, at most three times: one of several polls may have to
 * fall into it, such as a cancellation that comes in time.
 */
async function runUntil(isEnough: (result: RunResult) => boolean, deviation: Deviation, tries = 3): Promise<RunResult> {
  const result = await runAgainst(`${deviation.name}-${tries}`, interfacesOf(deviation), deviation);
  return tries === 1 || isEnough(result) ? result : runUntil(isEnough, deviation, tries - 1);
}

const failed = ({ verdicts }: RunResult): readonly string[] =>
  verdicts.flatMap(({ rule, verdict }) =>
    verdict.outcome === "failed" ? [`${rule}: ${verdict.findings[0].message}`] : [],
  );

const deviations = isThere ? strangersDeviations() : [];
const faults = deviations.filter(({ kind, name }) => kind === "fault" && !Object.hasOwn(unseen, name));
const variations = deviations.filter(({ kind, name }) => kind === "variation" && !Object.hasOwn(disputed, name));

describe.skipIf(!isThere).concurrent(`a server that was written from the documents alone${title}`, () => {
  let conforming: RunResult;

  beforeAll(async () => {
    conforming = await runAgainst("conforming", ["stream", "legacy", "current"]);
  });

  test("keeps the contract, and nearly every rule had an opportunity", () => {
    const { verdicts } = conforming;
    const silent = verdicts.filter(({ verdict }) => verdict.outcome === "not-observed").map(({ rule }) => rule);
    expect(failed(conforming)).toEqual([]);
    // What a release demands can be shown by whoever keeps the documents.
    expect([conforming.exitCode, conforming.incomplete]).toEqual([0, []]);
    expect(silent.length).toBeLessThan(verdicts.length / 10);
  });

  test.each(everyNth(faults, 250))("with the fault $name is found to break it: $sentence", async (fault) => {
    // Values that nobody promised are noted of it when it conforms, too.
    const usual = new Set(speaking(conforming));
    const seenIn = (result: RunResult): readonly string[] =>
      result.exitCode === 1 ? failed(result) : speaking(result).filter((rule) => !usual.has(rule));
    expect(seenIn(await runUntil((result) => seenIn(result).length > 0, fault))).not.toEqual([]);
  });

  test.each(everyNth(variations, 200))(
    "with the variation $name breaks nothing, and is told so: $sentence",
    async (variation) => {
      const exitCode = Object.hasOwn(inconclusive, variation.name) ? 3 : 0;
      const isEnough = (one: RunResult): boolean => failed(one).length > 0 || one.exitCode === exitCode;
      const result = await runUntil(isEnough, variation);
      expect([failed(result), result.exitCode, exitCode === 0 ? result.incomplete : []]).toEqual([[], exitCode, []]);
    },
  );

  test("is listed with what is not seen of it, and nothing else", () => {
    const names = new Set(deviations.map(({ kind, name }) => `${kind} ${name}`));
    const listed = [
      ...Object.keys(unseen).map((name) => `fault ${name}`),
      ...[...Object.keys(disputed), ...Object.keys(inconclusive)].map((name) => `variation ${name}`),
    ];
    expect(listed.filter((one) => !names.has(one))).toEqual([]);
    expect([faults.length >= 200, variations.length >= 100]).toEqual([true, true]);
  });
});

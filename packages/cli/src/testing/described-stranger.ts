import { join } from "node:path";
import type { RunOptions } from "../run/run-options.ts";
import type { RunResult } from "@assay/results";
import { beforeAll, describe, expect, test } from "vitest";
import { hasTool } from "./require-tool.ts";
import { judgeInProcess, speaking } from "./run-in-process.ts";
import { deviationsOf, exceptionsOf, startStranger } from "./strangers.ts";
import type { Deviation, StrangerName } from "./strangers.ts";
import { temporaryFolder } from "./temporary-folder.ts";

const folder = temporaryFolder();
const isThere = hasTool("python3");

type Judged = "stream" | "legacy" | "current";

/** The interfaces that a deviation can be seen in. */
const interfacesOf = ({ name, api }: Deviation): readonly Judged[] =>
  api === "migration" || name.startsWith("any-") ? ["legacy", "current"] : [api];

/** Flags that the operator of a stranger would give. */
type Declared = Required<Pick<RunOptions, "access" | "sharing">>;
const declared: Declared = { access: "private", sharing: "on" };
const otherwise: Readonly<Record<string, Partial<Declared>>> = {
  "stream-public": { access: "public" },
  "x-public-refuses": { access: "public" },
  "legacy-sharing-off": { sharing: "off" },
  "l-share-while-off": { sharing: "off" },
};
const declaredOf = ({ name }: Deviation): Partial<Declared> =>
  otherwise[name] ?? (name.startsWith("shoff") ? { sharing: "off" } : {});

interface Met {
  readonly stranger: StrangerName;
  readonly interfaces: readonly Judged[];
  readonly deviation?: Deviation;
}

/** A run against a stranger: all rules, every credential. */
async function runAgainst(out: string, { stranger, interfaces, deviation }: Met): Promise<RunResult> {
  const server = await startStranger(stranger, deviation);
  try {
    const given = { ...declared, ...(deviation === undefined ? {} : declaredOf(deviation)) };
    const options = { ...given, out: join(folder, out), url: server.url, interface: interfaces, questionTimeout: 8 };
    const ended = await judgeInProcess({ ...options, profile: "release" }, server.env);
    return ended.result;
  } finally {
    server.close();
  }
}

/**
 * A run against a stranger with a deviation, again until that is enough, at most three times: one of several polls may have to
 * fall into it, such as a cancellation that comes in time.
 */
async function runUntil(
  isEnough: (result: RunResult) => boolean,
  met: Met & { readonly deviation: Deviation },
  tries = 3,
): Promise<RunResult> {
  const result = await runAgainst(`${met.stranger}-${met.deviation.kind}-${met.deviation.name}-${tries}`, met);
  return tries === 1 || isEnough(result) ? result : runUntil(isEnough, met, tries - 1);
}

const failed = ({ verdicts }: RunResult): readonly string[] =>
  verdicts.flatMap(({ rule, verdict }) =>
    verdict.outcome === "failed" ? [`${rule}: ${verdict.findings[0].message}`] : [],
  );

const everything: Readonly<Record<StrangerName, readonly Judged[]>> = {
  general: ["stream", "legacy", "current"],
  questions: ["legacy", "current"],
  streams: ["stream"],
};

/** How much each can do at least. */
const least: Readonly<Record<StrangerName, { readonly faults: number; readonly variations: number }>> = {
  general: { faults: 200, variations: 100 },
  questions: { faults: 400, variations: 140 },
  streams: { faults: 400, variations: 190 },
};

/** The part of a list that is tested. */
type Sample = <T>(list: readonly T[]) => readonly T[];

/** Tests runs against a stranger without deviations, and with a sample of its faults and variations. */
export function describeStranger(stranger: StrangerName, sample: Sample): void {
  const skipped = isThere ? "" : " (skipped: no python3)";
  describe.skipIf(!isThere).concurrent(`a server written from the specifications alone, ${stranger}${skipped}`, () => {
    const deviations = isThere ? deviationsOf(stranger) : [];
    const { unseen, disputed, inconclusive } = exceptionsOf(stranger);
    const faults = deviations.filter(({ kind, name }) => kind === "fault" && !Object.hasOwn(unseen, name));
    const variations = deviations.filter(({ kind, name }) => kind === "variation" && !Object.hasOwn(disputed, name));
    let conforming: RunResult;

    beforeAll(async () => {
      conforming = await runAgainst(`${stranger}-conforming`, { stranger, interfaces: everything[stranger] });
    });

    test("keeps the contract, and nearly every rule had an observation", () => {
      const { verdicts } = conforming;
      const silent = verdicts.filter(({ verdict }) => verdict.outcome === "not-tested").map(({ rule }) => rule);
      expect(failed(conforming)).toEqual([]);
      // A server that follows the specifications can meet the demands of a release.
      expect([conforming.exitCode, conforming.incomplete]).toEqual([0, []]);
      expect(silent.length).toBeLessThan(verdicts.length / 10);
    });

    test.each(sample(faults))("with the fault $name is found to break it: $sentence", async (fault) => {
      // Unspecified values are noted for a correct stranger, too.
      const usual = new Set(speaking(conforming));
      const seenIn = (result: RunResult): readonly string[] =>
        result.exitCode === 1 ? failed(result) : speaking(result).filter((rule) => !usual.has(rule));
      const met = { stranger, interfaces: interfacesOf(fault), deviation: fault };
      expect(seenIn(await runUntil((result) => seenIn(result).length > 0, met))).not.toEqual([]);
    });

    test.each(sample(variations))(
      "with the variation $name fails no rule, and gets the note: $sentence",
      async (variation) => {
        const exitCode = Object.hasOwn(inconclusive, variation.name) ? 3 : 0;
        const isEnough = (one: RunResult): boolean => failed(one).length > 0 || one.exitCode === exitCode;
        const met = { stranger, interfaces: interfacesOf(variation), deviation: variation };
        const result = await runUntil(isEnough, met);
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
      expect(faults.length).toBeGreaterThanOrEqual(least[stranger].faults);
      expect(variations.length).toBeGreaterThanOrEqual(least[stranger].variations);
    });
  });
}

import { searchPath } from "@assay/contract";
import { everyNth, isProvingAll } from "@assay/tools/proving";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { AccessMode } from "../service/access.ts";
import { openRepositories } from "../service/repositories/open-repository.ts";
import type { Repository } from "../service/repositories/repository.ts";
import { issueTokens } from "../service/tokens.ts";
import { createGitFixture, type GitFixture } from "../testing/git-fixture.ts";
import { outputs } from "../testing/known-outputs.ts";
import {
  createConversationDriver,
  type DrivenAnswer,
  type DrivenCall,
  type DriverOptions,
} from "./conversation/testing/conversation-driver.ts";
import { rowsOf } from "./conversation/testing/rows-of.ts";
import { faults, listFaults } from "./fault-registry.ts";

const search = (
  q: string,
  parameters: Readonly<Record<string, string>> = {},
  token?: DrivenCall["token"],
): DrivenCall => ({
  method: "GET",
  path: `${searchPath}?${new URLSearchParams({ q, ...parameters }).toString()}`,
  token,
});

const { access, oauth, noScopeOauth } = issueTokens(1);
const header = (authorization: string): DrivenCall => search("needle", {}, { authorization });
const cm = { cm: "true" };
const inFile = "the needle file:a.txt";
const regexp = "nee.le file:^[ab]";

/** Searches in which every fault shows: of all parameters, filters, types of results and kinds of tokens. */
const requests: readonly DrivenCall[] = [
  search("needle"),
  search("needle count:1"),
  search(inFile, { ...cm, cl: "0", "max-line-len": "10" }),
  search(inFile, cm),
  ...["1", "3", "-1"].map((display) => search("needle", { display })),
  ...["2", "1000", "all"].map((count) => search(`needle count:${count}`, { v: "V3" })),
  ...[{}, { v: "V3" }, { t: "standard" }, { t: "keyword" }, { t: "regexp" }].map((more) => search(regexp, more)),
  search(inFile, { cm: "false" }),
  search(inFile, { cl: "1", "max-line-len": "3" }),
  search("needle file:a.txt", { ...cm, cl: "3" }),
  search(inFile, { ...cm, "max-line-len": "-1" }),
  search("needle count:1", cm),
  ...[{ display: "3" }, { cl: "3" }, { "max-line-len": "10" }].map((more) => search("needle", { ...cm, ...more })),
  search("tail needle"),
  search("nee.le patternType:regexp", { t: "standard" }),
  search("tail needle patternType:keyword count:3"),
  search("nee.le patternType:regexp count:3"),
  search("patternType:regexp ("),
  search("no-such-text"),
  search("type:path", { v: "V3" }),
  search("needle type:symbol"),
  search("needle type:diff"),
  search("type:repo"),
  search("needle lang:haskell"),
  search("needle lang:text"),
  search("needle -file:a.txt"),
  ...["ne%65dle", "c[+]d", "größe"].map((q) => search(q, { t: "regexp" })),
  search("needle", {}, "noScope"),
  search("needle", {}, "nobody"),
  ...[`Bearer ${oauth}`, `Bearer ${noScopeOauth}`, "token sgp_never", "token "].map(header),
  ...[`token ${access.slice(0, -1)}`, `token ${access}0`].map(header),
];

/** Faults that never end an answer; tests of their own read its beginning. */
const endless: ReadonlySet<string> = new Set(["stall", "open-after-done", "no-answer", "endless"]);

/** Faults in time and in the cutting of the bytes alone. */
const timed: ReadonlySet<string> = new Set([
  "one-burst",
  "trickle",
  "all-at-once",
  "late-headers",
  "drip",
  "slow-first-match",
  "one-byte-chunks",
  "late-start",
  "late-end",
]);

/** Settings with which a fault is quick. */
const quick: Readonly<Record<string, number>> = { ms: 1, delayMs: 1, intervalMs: 0, bytes: 500 };

let fixture: GitFixture;
let repositories: readonly Repository[] = [];

beforeAll(async () => {
  const words = ["one", "two", "the first needle of the file", "four", "five", "six", "seven", "and the needle's tail"];
  fixture = createGitFixture({
    files: {
      "a.txt": `${words.join("\n")}\n`,
      "b.txt": "a nee.le that only looks like one\n",
      "needle.ts": "export const needle = 1;\n",
      "README.md": "a needle\n",
      "special.txt": "größe of c+d\n",
      ...Object.fromEntries(Array.from({ length: 12 }, (_, index) => [`more/${index}.txt`, `needle ${index}\n`])),
    },
  });
  repositories = await openRepositories([fixture.directory], outputs);
});

afterAll(() => fixture.remove());

/** Everything of an answer but its time; no search here takes 100 seconds. A broken connection is its error. */
function shown({ headers: { date, ...headers }, status, text }: DrivenAnswer): string {
  const isOffClock = Math.abs(Date.parse(String(date)) - Date.now()) > 60_000;
  return JSON.stringify([status, headers, isOffClock, text.replaceAll(/("durationMs":)\d{1,5}\b/gu, "$10")]);
}

interface Seen {
  readonly text: string;
  readonly isApplied: boolean | undefined;
}

/** Answers to the requests, until one of them is enough. */
async function answersOf(options: DriverOptions, isEnough: (seen: Seen, index: number) => boolean): Promise<Seen[]> {
  const driver = createConversationDriver({ repositories, ...options });
  const all: Seen[] = [];
  for (const request of requests) {
    const text = await driver.call(request).then(shown, String);
    const seen = { text, isApplied: driver.journal().at(-1)?.faultApplied };
    all.push(seen);
    if (isEnough(seen, all.length - 1)) {
      break;
    }
  }
  await driver.close();
  return all;
}

const plain = new Map<AccessMode, Promise<readonly Seen[]>>();
function plainAnswers(mode: AccessMode): Promise<readonly Seen[]> {
  const answers = plain.get(mode) ?? answersOf({ access: mode }, () => false);
  plain.set(mode, answers);
  return answers;
}

const ofSearches = new Set(
  listFaults()
    .filter(({ id, layer }) => layer !== "conversation" && !endless.has(id))
    .map(({ id }) => id),
);
const rows = faults.filter(({ id }) => ofSearches.has(id)).flatMap(rowsOf);

describe("the journal reports a fault of searches if and only if the answer has other bytes", () => {
  test("and no fault without one", async () => {
    expect((await plainAnswers("private")).filter(({ isApplied }) => isApplied !== false)).toEqual([]);
  });

  test.each(everyNth(rows, 4))("$text", { tags: "more" }, async ({ choice, fault }) => {
    const usual = await plainAnswers(fault.access ?? "private");
    const isOther = ({ text }: Seen, index: number): boolean => text !== usual[index]?.text;
    const settings = Object.entries(quick).filter(([name]) => Object.hasOwn(fault.parameters, name));
    const params = { ...Object.fromEntries(settings), ...choice.params };
    const seen = await answersOf(
      { fault: { id: fault.id, params } },
      (one, index) => !isProvingAll && isOther(one, index),
    );
    const other = seen.filter(isOther);
    expect(other.filter(({ isApplied }) => isApplied !== true)).toEqual([]);
    expect(seen.some(({ isApplied }) => isApplied)).toBe(true);
    expect(other.length > 0).toBe(!timed.has(fault.id));
  });
});

import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { RunResult } from "@assay/results";
import { beforeAll, describe, expect, test } from "vitest";
import { callAssay } from "../testing/call-assay.ts";
import { temporaryFolder } from "../testing/temporary-folder.ts";

const folder = new URL("../../fixtures/har/", import.meta.url);
const read = (file: string): string => readFileSync(new URL(file, folder), "utf8");

type Json = { [name: string]: Json } | Json[] | string | number | boolean | null;

/** A recording that differs from another one in a few places. */
interface ChangedRecording {
  /** Name of the other one, which is a file. */
  readonly of: string;
  /** Values by their paths below the entries; `body` is the body of the response, parsed. */
  readonly set?: Readonly<Record<string, Json>>;
  readonly remove?: readonly string[];
}

interface Content {
  text: string;
  size: number;
}

interface Entry {
  readonly response: { readonly content: Content };
  body?: Json;
}

/** The parent object or list of the last step of a path, and that step. */
function placeOf(entries: object, path: string): readonly [holder: object, step: string] {
  const steps = path.split("/");
  const last = steps.pop() ?? "";
  return [steps.reduce((holder: object, step) => Reflect.get(holder, step), entries), last];
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** The text of the HAR file of a recording that is not a file of its own. */
function changedRecording({ of, set = {}, remove = [] }: ChangedRecording): string {
  const har: { log: { entries: Entry[] } } = JSON.parse(read(`${of}.har`));
  const { entries } = har.log;
  for (const entry of entries.filter(({ response }) => isJson(response.content.text))) {
    entry.body = JSON.parse(entry.response.content.text);
  }
  for (const [path, value] of Object.entries(set)) {
    Reflect.set(...placeOf(entries, path), value);
  }
  for (const path of remove) {
    Reflect.deleteProperty(...placeOf(entries, path));
  }
  for (const { response, body } of entries.filter((entry) => entry.body !== undefined)) {
    response.content.text = JSON.stringify(body);
    response.content.size = Buffer.byteLength(response.content.text);
  }
  return JSON.stringify({ log: { ...har.log, entries: entries.map(({ body: _body, ...entry }) => entry) } });
}

const files = readdirSync(folder)
  .filter((name) => name.endsWith(".har"))
  .map((name) => name.replace(/\.har$/u, ""));
const changed: Readonly<Record<string, ChangedRecording>> = JSON.parse(read("changed-recordings.json"));
const names = [...files, ...Object.keys(changed)];

const cwd = temporaryFolder();
let results: ReadonlyMap<string, RunResult> = new Map();

beforeAll(async () => {
  for (const name of names) {
    const own = changed[name];
    writeFileSync(join(cwd, `${name}.har`), own === undefined ? read(`${name}.har`) : changedRecording(own));
  }
  const { out } = await callAssay(["check", "--json", ...names.map((name) => `${name}.har`)], { cwd });
  const all: readonly RunResult[] = JSON.parse(out);
  results = new Map(names.map((name, index) => [name, all[index]!]));
});

/** Rules that fail or warn. The schema of a response may fail together with the rule about one of its members. */
const speaking = ({ verdicts }: RunResult, outcome: "failed" | "warned"): readonly string[] =>
  verdicts
    .filter(({ verdict, rule }) => verdict.outcome === outcome && !rule.endsWith("/responses-fit-openapi"))
    .map(({ rule }) => rule);

const named = (outcome: string): readonly string[] => names.filter((name) => name.startsWith(`${outcome}.`));
const resultOf = (name: string): RunResult => results.get(name)!;

/** `violates.legacy.status-is-listed.done` names the rule `legacy/status-is-listed`. */
const ruleOf = (name: string): string => name.split(".").slice(1, 3).join("/");

describe("recorded polling histories", () => {
  test("are many, and each name has the expected result", () => {
    expect(names.length).toBeGreaterThan(90);
    expect(new Set(names).size).toBe(names.length);
    expect(names.filter((name) => !/^(?:conforms|violates|warns|incomplete)\./u.test(name))).toEqual([]);
  });

  test.each(named("conforms"))("%s", (name) => {
    const result = resultOf(name);
    expect([speaking(result, "failed"), speaking(result, "warned"), result.incomplete]).toEqual([[], [], []]);
    expect([result.exitCode, result.counts.failed]).toEqual([0, 0]);
    expect(result.counts.passed).toBeGreaterThan(0);
  });

  test.each(named("violates"))("%s", (name) => {
    const result = resultOf(name);
    expect([speaking(result, "failed"), result.exitCode]).toEqual([[ruleOf(name)], 1]);
  });

  test.each(named("warns"))("%s", (name) => {
    const result = resultOf(name);
    expect([speaking(result, "failed"), speaking(result, "warned"), result.exitCode]).toEqual([[], [ruleOf(name)], 0]);
  });

  test.each(named("incomplete"))("%s", (name) => {
    const result = resultOf(name);
    expect([speaking(result, "failed"), result.exitCode, result.incomplete.length > 0]).toEqual([[], 3, true]);
  });
});

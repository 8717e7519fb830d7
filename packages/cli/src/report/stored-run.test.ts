import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { RunResult } from "@assay/results";
import { beforeAll, describe, expect, test } from "vitest";
import { callAssay } from "../testing/call-assay.ts";
import { sharedRepository } from "../testing/git-repository.ts";
import { temporaryFolder } from "../testing/temporary-folder.ts";
import { recomputeConclusion } from "./result-contradictions.ts";

const cwd = temporaryFolder();
const repository = sharedRepository();
const call = (...args: readonly string[]) => callAssay(args, { cwd });
const textOf = (...path: readonly string[]): string => readFileSync(join(cwd, ...path), "utf8");
const verdictsOf = (run: string): RunResult => JSON.parse(textOf(run, "verdicts.json"));

const run = (out: string, ...more: readonly string[]) =>
  call("run", "--repo", repository, "--rule", "two-fields", "--rule", "match-count-never-falls", "--out", out, ...more);

type Json = Record<string, unknown>;

function edit(path: string, change: (value: Json) => object): void {
  writeFileSync(join(cwd, path), JSON.stringify({ ...change(JSON.parse(textOf(path))) }));
}

/** A copy of a run to spoil. */
function copyOf(original: string, name: string): string {
  rmSync(join(cwd, name), { recursive: true, force: true });
  cpSync(join(cwd, original), join(cwd, name), { recursive: true });
  return name;
}

/** A copy of a run with another end of driving, judged again. */
async function ended(name: string, footer: Json): Promise<void> {
  copyOf("good", name);
  edit(`${name}/footer.json`, (value) => ({ ...value, ...footer }));
  await call("judge", name);
}

beforeAll(async () => {
  const list = [
    "# A comment keeps the connection.",
    "# owner: platform   expires: 2999-12-31",
    "stream/two-fields:comment  *",
    "",
  ];
  writeFileSync(join(cwd, "known.txt"), list.join("\n"));
  await run("good");
  await run("bad", "--fault", "comment");
  await run("known", "--fault", "comment", "--known-failures", "known.txt");
  await run("known-no-more", "--known-failures", "known.txt");
  await run("warned", "--fault", "match-count-falls");
  await run("strict", "--fault", "match-count-falls", "--strict");
  await run("silent", "--fault", "truncate");
  await ended("interrupted", { ended: "interrupted", reason: "SIGINT" });
  await ended("terminated", { ended: "interrupted", reason: "SIGTERM" });
  await ended("stopped", { ended: "stopped", cause: "deadline", reason: "the time was up" });
  await ended("left", { left: "1 conversation was left" });
  copyOf("good", "killed");
  rmSync(join(cwd, "killed/footer.json"));
  await call("judge", "killed");
});

describe("a stored run as it was written", () => {
  test.each([
    { name: "good", outcome: "passed", exitCode: 0 },
    { name: "bad", outcome: "failed", exitCode: 1 },
    { name: "known", outcome: "passed", exitCode: 0 },
    { name: "known-no-more", outcome: "failed", exitCode: 1 },
    { name: "warned", outcome: "passed", exitCode: 0 },
    { name: "strict", outcome: "failed", exitCode: 1 },
    { name: "silent", outcome: "incomplete", exitCode: 3 },
    { name: "interrupted", outcome: "interrupted", exitCode: 130 },
    { name: "terminated", outcome: "interrupted", exitCode: 143 },
    { name: "stopped", outcome: "incomplete", exitCode: 3 },
    { name: "left", outcome: "cleanup-incomplete", exitCode: 6 },
  ])("that ended $outcome ($name) is shown as it is: $exitCode", async ({ name, outcome, exitCode }) => {
    expect(verdictsOf(name)).toMatchObject({ outcome, exitCode });
    const { code, out, err } = await call("report", name, "--format", "markdown");
    expect([code, out, err]).toEqual([exitCode, textOf(name, "summary.md"), ""]);
    expect(await call("report", `${name}/verdicts.json`, "--format", "junit")).toMatchObject({
      code: exitCode,
      err: "",
    });
    expect(await call("baseline", "set", name, name)).toMatchObject({ err: "" });
    expect(await call("report", "good", "--baseline", name, "--format", "junit")).toMatchObject({ code: 0, err: "" });
  });

  test("that was judged after it was killed keeps its figures, and reports the missing evidence", async () => {
    const before = textOf("killed/report.html");
    const { code, err } = await call("report", "killed");
    expect([code, err]).toEqual([3, expect.stringContaining("footer.json is missing")]);
    expect(textOf("killed/report.html")).toBe(before);
  });

  test("of another version may have other words for its end", async () => {
    copyOf("good", "worded");
    edit("worded/verdicts.json", (value) => ({ ...value, summary: "well", tool: { name: "assay", version: "0.0.9" } }));
    expect(await call("report", "worded/verdicts.json", "--format", "markdown")).toMatchObject({ code: 0, err: "" });
  });

  test("without evidence is shown with a note", async () => {
    await call("judge", "good", "--out", "results");
    const { code, err } = await call("report", "results", "--format", "markdown");
    expect([code, err]).toEqual([
      0,
      "note: results holds no evidence, so its verdicts are shown as they were stored\n",
    ]);
  });
});

describe("verdicts that passed next to evidence", () => {
  const linesOf = (name: string): readonly string[] => textOf(name, "exchanges.ndjson").trimEnd().split("\n");
  const cut = (name: string): void =>
    writeFileSync(join(cwd, name, "exchanges.ndjson"), `${linesOf(name).slice(0, 2).join("\n")}\n`);
  const remove = (name: string, ...files: readonly string[]): void =>
    files.forEach((file) => rmSync(join(cwd, name, file), { recursive: true }));

  test.each([
    { name: "cut", spoil: cut, says: "the exchanges are not those that were judged: " },
    { name: "without-footer", spoil: (at: string) => remove(at, "footer.json"), says: "footer.json is missing" },
    {
      name: "removed",
      spoil: (at: string) => remove(at, "footer.json", "exchanges.ndjson", "bodies"),
      says: "exchanges.ndjson is missing",
    },
    { name: "without-bodies", spoil: (at: string) => remove(at, "bodies"), says: "is not stored" },
    { name: "without-manifest", spoil: (at: string) => remove(at, "manifest.json"), says: "(not-a-bundle)" },
    {
      name: "with-a-cut-manifest",
      spoil: (at: string) => edit(`${at}/manifest.json`, (value) => ({ ...value, rules: [] })),
      says: "the digest of manifest.json differs from the one in the footer",
    },
    {
      name: "of-another-run",
      spoil: (at: string) => cpSync(join(cwd, "good/verdicts.json"), join(cwd, copyOf("bad", at), "verdicts.json")),
      says: "belongs to another run, 2",
    },
  ])("$name do not pass, on the page as on the terminal", async ({ name, spoil, says }) => {
    spoil(copyOf("good", name));
    const { code, out, err } = await call("report", name);
    expect([code, out.includes("passed")]).toEqual([3, false]);
    expect(err).toMatch(new RegExp(`^note: ${name}: the evidence next to the verdicts [^\\n]+\\n$`, "u"));
    expect(err).toContain(says);
    const page = textOf(name, "report.html");
    expect(page).toContain("Why the run is incomplete");
    expect(page).toContain("it has no figures");
    expect([page, textOf("good/report.html")].map((text) => text.includes('class="figures"'))).toEqual([false, true]);
    for (const [format, red] of [
      ["junit", /<(?:failure|error)[ >]/u],
      ["json", /"exitCode": 3/u],
    ] as const) {
      expect((await call("report", name, "--format", format)).out).toMatch(red);
    }
  });

  test("of another run do not hide that they failed, nor that they were interrupted", async () => {
    for (const [name, exitCode] of [
      ["bad", 1],
      ["interrupted", 130],
    ] as const) {
      remove(copyOf(name, "doubted"), "footer.json");
      const { code, out } = await call("report", "doubted", "--format", "comment");
      expect([code, out.includes("it has no figures")]).toEqual([exitCode, true]);
    }
  });

  test.each([
    { name: "fewer rules", change: (value: Json) => ({ ...value, rules: ["stream/match-count-never-falls"] }) },
    { name: "no rules", change: (value: Json) => ({ ...value, rules: [] }) },
  ])("whose manifest was given $name are not green for check and judge either", async ({ change }) => {
    edit(`${copyOf("bad", "fewer")}/manifest.json`, change);
    const ends = [await call("check", "fewer"), await call("judge", "fewer", "--out", "fewer-again")];
    expect(ends.map(({ code }) => code)).toEqual([3, 3]);
  });
});

describe("edited verdicts", () => {
  const { passed, failed } = { passed: { outcome: "passed", exitCode: 0 }, failed: { outcome: "failed", exitCode: 1 } };
  const counted = (result: RunResult, change: object): object => ({ ...result.counts, ...change });
  const isOther = ({ rule }: { readonly rule: string }): boolean => rule !== "stream/two-fields";
  const without = (result: RunResult): object => ({
    ...passed,
    verdicts: result.verdicts.filter(isOther),
    counts: counted(result, { failed: 0 }),
  });
  const asWarned = (result: RunResult): object => ({
    ...passed,
    verdicts: result.verdicts.map((rule) =>
      rule.verdict.outcome === "failed" ? { ...rule, verdict: { ...rule.verdict, outcome: "warned" } } : rule,
    ),
    counts: counted(result, { failed: 0, warned: 1 }),
  });
  const edited = (original: string, name: string, change: (result: RunResult) => object): string => {
    const result = verdictsOf(copyOf(original, name));
    writeFileSync(join(cwd, name, "verdicts.json"), JSON.stringify({ ...result, ...change(result) }));
    return name;
  };

  test.each([
    { name: "dropped", original: "bad", change: without, says: "its summary does not match" },
    { name: "softened", original: "bad", change: asWarned, says: "its summary does not match" },
    {
      name: "praised",
      original: "bad",
      change: () => ({ summary: "all rules hold" }),
      says: "its summary does not match",
    },
    { name: "blamed", original: "good", change: () => failed, says: "it says failed, and its verdicts say passed" },
    {
      name: "belittled",
      original: "interrupted",
      change: () => ({ summary: "well" }),
      says: "its summary does not match",
    },
    { name: "tidied", original: "left", change: () => ({ summary: "well" }), says: "its summary does not match" },
  ])("that were $name are refused, in a folder and alone", async ({ name, original, change, says }) => {
    edited(original, name, change);
    for (const path of [name, `${name}/verdicts.json`]) {
      const { code, out, err } = await call("report", path);
      expect([code, out, err]).toEqual([
        2,
        "",
        expect.stringMatching(/^assay: \S+\/verdicts\.json contradicts itself: [^\n]+\n$/u),
      ]);
      expect(err).toContain(says);
    }
  });

  /** A change of some parts, with the summary that follows from them. */
  const agreeing = (change: (result: RunResult) => object) => (result: RunResult) => {
    const changed = { ...result, ...change(result) };
    return { ...changed, summary: recomputeConclusion(changed).summary };
  };

  test.each([
    {
      name: "fewer",
      original: "bad",
      change: agreeing(without),
      says: "the run selected stream/two-fields, of which it has no verdict",
    },
    {
      name: "twice",
      original: "good",
      change: agreeing((result) => ({
        verdicts: [...result.verdicts, ...result.verdicts.slice(0, 1)],
        counts: counted(result, { passed: 3 }),
      })),
      says: "it has an extra verdict of stream/two-fields",
    },
    {
      name: "lenient",
      original: "strict",
      change: agreeing((result) => ({ ...asWarned(result), run: { ...result.run, strict: false } })),
      says: "it was judged with strict false, and the run was made with strict true",
    },
  ])(
    "that agree with themselves and not with the manifest ($name) are refused",
    async ({ name, original, change, says }) => {
      edited(original, name, change);
      const { code, out, err } = await call("report", name);
      expect([code, out, err]).toEqual([
        2,
        "",
        expect.stringContaining(`contradicts the manifest.json next to it: ${says};`),
      ]);
      mkdirSync(join(cwd, "alone"), { recursive: true });
      expect(await call("report", `${name}/verdicts.json`, "--out", "alone/page.html")).toMatchObject({ code: 0 });
    },
  );
});

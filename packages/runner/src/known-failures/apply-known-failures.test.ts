import { ruleRecord } from "@assay/contract";
import type { Finding, RuleId } from "@assay/contract";
import { concludeRun, toPositiveCount, ruleStanding } from "@assay/results";
import type { RuleVerdict, Verdict } from "@assay/results";
import { describe, expect, test } from "vitest";
import { applyKnownFailures } from "./apply-known-failures.ts";
import { parseKnownFailures } from "./parse-known-failures.ts";

const target = "https://staging.example.com/search";
const run = { target, startedAt: "2027-01-31T23:59:59.999Z" };
const finding = { kind: "violation", message: "a comment line" } as const;
const one = toPositiveCount(1)!;

const verdicts = {
  failed: { outcome: "failed", findings: [finding], moreFindings: 0 },
  warned: { outcome: "warned", findings: [finding], moreFindings: 0 },
  passed: { outcome: "passed", observations: one },
  "not-tested": { outcome: "not-tested" },
  "not-applicable": { outcome: "not-applicable", reason: "private" },
  blocked: { outcome: "blocked", blockedBy: "transport", missing: "reset" },
} as const satisfies Record<string, Verdict>;

const rule = (id: RuleId, outcome: keyof typeof verdicts): RuleVerdict => {
  const { title, basis } = ruleRecord(id);
  return {
    rule: id,
    interface: "stream",
    operation: "search",
    title,
    basis,
    requirements: [],
    mustTest: false,
    verdict: verdicts[outcome],
  };
};

const listOf = (...lines: readonly string[]): string =>
  `# It sends a comment.\n# owner: platform-team   expires: 2027-01-31\n${lines.join("\n")}\n`;
const entriesOf = (...lines: readonly string[]) => parseKnownFailures(listOf(...lines), "known.txt").entries;
const shipped = (...lines: readonly string[]) =>
  parseKnownFailures(listOf(...lines).replace(/ *expires.*/u, ""), "field", { isShipped: true }).entries;

const known = {
  reason: "It sends a comment.",
  owner: "platform-team",
  expires: "2027-01-31",
  source: "known.txt",
  line: 3,
};

describe("an entry for this target", () => {
  const entries = entriesOf("stream/lines-end-with-lf https://staging.example.com");

  test.each(["failed", "warned"] as const)(
    "makes a verdict that is %s a known failure, which stays what it is",
    (name) => {
      const before = rule("stream/lines-end-with-lf", name);
      expect(applyKnownFailures([before], entries, run)).toEqual({
        verdicts: [{ ...before, known: { status: "known-failure", ...known } }],
        mistakes: [],
        notes: [],
      });
    },
  );

  test("marks a rule that passed as fixed", () => {
    const before = rule("stream/lines-end-with-lf", "passed");
    expect(applyKnownFailures([before], entries, run)).toEqual({
      verdicts: [{ ...before, known: { status: "fixed", ...known } }],
      mistakes: [],
      notes: [],
    });
  });

  test.each(["not-tested", "not-applicable", "blocked"] as const)("does not change a verdict that is %s", (name) => {
    const before = [rule("stream/lines-end-with-lf", name)];
    expect(applyKnownFailures(before, entries, run)).toEqual({ verdicts: before, mistakes: [], notes: [] });
  });

  test("does not change other rules, and has no effect if its rule was not selected", () => {
    const before = [rule("stream/done-is-last", "failed"), rule("stream/data-is-json", "passed")];
    expect(applyKnownFailures(before, entries, run)).toEqual({ verdicts: before, mistakes: [], notes: [] });
    expect(applyKnownFailures([], entries, run)).toEqual({ verdicts: [], mistakes: [], notes: [] });
  });
});

test.each(["failed", "passed"] as const)("an entry for another target is ignored if its rule is %s", (name) => {
  const before = [rule("stream/lines-end-with-lf", name)];
  const entries = entriesOf("stream/lines-end-with-lf https://prod.example.com");
  const late = { ...run, startedAt: "2099-01-01T00:00:00Z" };
  expect(applyKnownFailures(before, entries, run)).toEqual({ verdicts: before, mistakes: [], notes: [] });
  expect(applyKnownFailures(before, entries, late)).toEqual({ verdicts: before, mistakes: [], notes: [] });
});

describe("an entry that has expired", () => {
  const entries = entriesOf("stream/lines-end-with-lf *", "stream/no-* *");
  const before = [rule("stream/lines-end-with-lf", "failed"), rule("stream/chunk-matches-need-cm", "passed")];

  test("applies on its last day", () => {
    expect(applyKnownFailures(before, entries, run).mistakes).toEqual([]);
  });

  test("is reported once per line, and neither hides a failure nor counts as fixed", () => {
    expect(applyKnownFailures(before, entries, { target, startedAt: "2027-02-01T00:00:00.000Z" })).toEqual({
      verdicts: before,
      mistakes: [
        "known.txt, line 3: the entry for `stream/lines-end-with-lf` expired on 2027-01-31, before the run of 2027-02-01; remove it, or give it another date",
        "known.txt, line 4: the entry for `stream/no-*` expired on 2027-01-31, before the run of 2027-02-01; remove it, or give it another date",
      ],
      notes: [],
    });
  });

  test("is reported even if its rule was not selected", () => {
    expect(applyKnownFailures([], entries, { target, startedAt: "2027-02-01" }).mistakes).toHaveLength(2);
  });

  test.each(["", "soon", "1.2.2027", "x2026-01-01"])("cannot be used in a run that began %j", (startedAt) => {
    const [first, ...others] = applyKnownFailures(before, entries, { target, startedAt }).mistakes;
    expect(first).toBe(
      "known.txt, line 3: the entry for `stream/lines-end-with-lf` cannot be used, since the run does not say on which day it began",
    );
    expect(others).toHaveLength(1);
  });
});

test("every rule that a pattern matches is marked separately", () => {
  const before = [
    rule("legacy/filter-id-filters", "failed"),
    rule("legacy/filter-user-id-filters", "passed"),
    rule("legacy/filter-is-starred-filters", "not-tested"),
  ];
  const { verdicts: after } = applyKnownFailures(before, entriesOf("legacy/filter-* *"), run);
  expect(after.map(ruleStanding)).toEqual(["known-failure", "fixed", "not-tested"]);
});

describe("a shipped list", () => {
  test("marks known failures without a date", () => {
    const [after] = applyKnownFailures(
      [rule("stream/lines-end-with-lf", "failed")],
      shipped("stream/lines-end-with-lf *"),
      {
        target,
        startedAt: "2999-01-01",
      },
    ).verdicts;
    expect(after?.known).toEqual({
      status: "known-failure",
      reason: "It sends a comment.",
      owner: "platform-team",
      source: "field",
      line: 3,
    });
  });

  test("notes a rule that passed and does not change its verdict", () => {
    const before = [rule("stream/lines-end-with-lf", "passed"), rule("stream/data-is-json", "not-tested")];
    expect(applyKnownFailures(before, shipped("stream/lines-end-with-lf *", "stream/data-is-json *"), run)).toEqual({
      verdicts: before,
      mistakes: [],
      notes: ["field, line 3: `stream/lines-end-with-lf` passed on this target, although the list expects it to fail"],
    });
  });

  test.each(["failed", "passed"] as const)("has lower priority than the user's entry for a rule that is %s", (name) => {
    const entries = [...shipped("stream/lines-end-with-lf *"), ...entriesOf("stream/lines-end-with-lf *")];
    const { verdicts: after, notes } = applyKnownFailures([rule("stream/lines-end-with-lf", name)], entries, run);
    expect(after.map((verdict) => verdict.known?.source)).toEqual(["known.txt"]);
    expect(notes).toEqual([]);
  });
});

test("of several entries by the user the first one that has not expired applies", () => {
  const old = parseKnownFailures(
    "# Old.\n# owner: a expires: 2026-12-31\nstream/lines-end-with-lf *\n",
    "old.txt",
  ).entries;
  const entries = [...old, ...entriesOf("stream/lines-* *", "stream/lines-end-with-lf https://staging.example.com")];
  const { verdicts: after, mistakes } = applyKnownFailures([rule("stream/lines-end-with-lf", "failed")], entries, run);
  expect(after.map((verdict) => verdict.known?.line)).toEqual([3]);
  expect(after.map((verdict) => verdict.known?.source)).toEqual(["known.txt"]);
  expect(mistakes).toHaveLength(1);
});

test("known failures decide the exit code of the run", () => {
  const exitCodeWith = (outcome: keyof typeof verdicts, ...lines: readonly string[]): number => {
    const rules = [rule("stream/data-is-json", "passed"), rule("stream/lines-end-with-lf", outcome)];
    const { verdicts: after, mistakes } = applyKnownFailures(rules, entriesOf(...lines), run);
    return concludeRun({ verdicts: after, strict: true, knownFailureMistakes: mistakes }).exitCode;
  };
  const entry = "stream/lines-end-with-lf *";
  expect([exitCodeWith("failed"), exitCodeWith("failed", entry)]).toEqual([1, 0]);
  expect([exitCodeWith("warned"), exitCodeWith("warned", entry)]).toEqual([1, 0]);
  expect([exitCodeWith("passed"), exitCodeWith("passed", entry)]).toEqual([0, 1]);
  expect([exitCodeWith("not-tested"), exitCodeWith("not-tested", entry)]).toEqual([0, 0]);
  expect([exitCodeWith("blocked"), exitCodeWith("blocked", entry)]).toEqual([3, 3]);
});

describe("an entry that names a finding", () => {
  const id = "stream/match-type-is-listed";
  const of = (argument: string): Finding => ({ kind: "violation", message: argument, code: "unlisted", argument });
  const failing = (findings: readonly Finding[], moreFindings = 0): RuleVerdict => {
    const [first = of("person"), ...rest] = findings;
    return { ...rule(id, "failed"), verdict: { outcome: "failed", findings: [first, ...rest], moreFindings } };
  };
  const entry = `${id}:unlisted(person,my%20team) *`;
  const standingsWith = (verdict: RuleVerdict, ...lines: readonly string[]) =>
    applyKnownFailures([verdict], entriesOf(...lines), run).verdicts.map(ruleStanding);

  test.each<{ name: string; verdict: RuleVerdict; standing: string }>([
    { name: "matches it", verdict: failing([of("person")]), standing: "known-failure" },
    { name: "with any of its arguments", verdict: failing([of("person"), of("my team")]), standing: "known-failure" },
    { name: "however often it occurred", verdict: failing([of("person"), of("person")], 7), standing: "known-failure" },
    { name: "but no other argument", verdict: failing([of("banana")]), standing: "failed" },
    { name: "nor an additional finding", verdict: failing([of("person"), of("banana")]), standing: "failed" },
    { name: "nor dropped findings that may be others", verdict: failing([of("person")], 1), standing: "failed" },
    {
      name: "nor a finding without an argument",
      verdict: failing([{ kind: "violation", message: "a", code: "unlisted" }]),
      standing: "failed",
    },
    {
      name: "nor one without a code",
      verdict: failing([{ kind: "violation", message: "a" }]),
      standing: "failed",
    },
  ])("$name", ({ verdict, standing }) => {
    expect(standingsWith(verdict, entry)).toEqual([standing]);
  });

  test("works together with other entries for the same rule", () => {
    const verdict = failing([of("person"), of("banana")]);
    expect(standingsWith(verdict, entry, `${id}:unlisted(banana) *`)).toEqual(["known-failure"]);
  });

  test("puts other findings first, and notes that the rest is known", () => {
    const {
      verdicts: after,
      mistakes,
      notes,
    } = applyKnownFailures([failing([of("person"), of("banana")])], entriesOf(entry), run);
    expect(after[0]?.verdict).toMatchObject({ findings: [{ argument: "banana" }, { argument: "person" }] });
    expect(mistakes).toEqual([]);
    expect(notes).toEqual([`\`${id}\` is a known failure only in part; findings that no list names come first`]);
  });

  test("is stale if its rule failed only with other findings, which the sentence names", () => {
    const { mistakes } = applyKnownFailures([failing([of("banana")])], entriesOf(entry), run);
    expect(mistakes).toEqual([
      `known.txt, line 3: \`${id}:unlisted(person,my%20team)\` did not occur; the findings were \`unlisted(banana)\`; remove the line or correct it`,
    ]);
    expect(applyKnownFailures([failing([of("banana")])], shipped(entry), run).mistakes).toEqual([]);
  });

  test("is fixed if its rule passed", () => {
    expect(standingsWith(rule(id, "passed"), entry)).toEqual(["fixed"]);
  });
});

describe("a recording of several targets", () => {
  const targets = ["https://a.example.com", "https://b.example.com/x"];
  const failed = rule("stream/lines-end-with-lf", "failed");
  const applied = (targetPattern: string, targetUrls: readonly string[]) =>
    applyKnownFailures([failed], entriesOf(`stream/lines-end-with-lf ${targetPattern}`), {
      ...run,
      targets: targetUrls,
    });

  test.each(["*", "https://*"])("has known failures that apply to all of them: %s", (targetPattern) => {
    expect(applied(targetPattern, targets).verdicts[0]?.known?.status).toBe("known-failure");
  });

  test("does not have those of only one of them, and notes it", () => {
    const { verdicts: after, notes } = applied("https://a.example.com", targets);
    expect([after, notes]).toEqual([
      [failed],
      [
        "known.txt, line 3: the entry for `stream/lines-end-with-lf` is not used, since the recording also has the target https://b.example.com/x",
      ],
    ]);
  });

  test("does not have those of another target, and does not note it", () => {
    expect(applied("https://c.example.com", targets)).toEqual({ verdicts: [failed], mistakes: [], notes: [] });
  });
});

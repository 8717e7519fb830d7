import { anyCharacter } from "@assay/tools/any-character";
import { repetitions } from "@assay/tools/proving";
import { ruleCatalogue, ruleIds, ruleRecord } from "@assay/contract";
import type { RuleId } from "@assay/contract";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseKnownFailures } from "./parse-known-failures.ts";

const heading = "# It sends a comment as keep-alive.\n# owner: platform-team   expires: 2027-01-31\n";
const mistakesOf = (text: string): readonly string[] => parseKnownFailures(text, "known.txt").mistakes;
const withEntry = (line: string): string => `${heading}${line}\n`;

const example = `\
# The proxy in front of staging sends a comment as keep-alive.
# owner: platform-team   expires: 2027-01-31   (tracked in OPS-412)
stream/lines-end-with-lf   https://staging.example.com
stream/no-*      *
`;

test("each entry of a list has a reason, an owner, an expiry date and a target", () => {
  const why = {
    reason: "The proxy in front of staging sends a comment as keep-alive. (tracked in OPS-412)",
    owner: "platform-team",
    expires: "2027-01-31",
    source: "known.txt",
    isShipped: false,
  };
  expect(parseKnownFailures(example, "known.txt")).toEqual({
    mistakes: [],
    notes: [],
    entries: [
      {
        ...why,
        rule: "stream/lines-end-with-lf",
        rules: ["stream/lines-end-with-lf"],
        target: { text: "https://staging.example.com", prefix: "https://staging.example.com/" },
        line: 3,
      },
      {
        ...why,
        rule: "stream/no-*",
        rules: ruleIds.filter((id) => id.startsWith("stream/no-")),
        target: { text: "*", prefix: "" },
        line: 4,
      },
    ],
  });
});

test.each<[string, string]>([
  ["CRLF", example.replaceAll("\n", "\r\n")],
  ["CR", example.replaceAll("\n", "\r")],
  ["a byte order mark", `\uFEFF${example}`],
  ["no line end at its end", example.trimEnd()],
  ["tabs and space around", example.replaceAll(/^/gmu, "\t ").replaceAll("   ", "\t")],
])("a list with %s is read the same", (_name, text) => {
  expect(parseKnownFailures(text, "known.txt")).toEqual(parseKnownFailures(example, "known.txt"));
});

test.each<[string, string, object]>([
  ["fields in lines of their own", "# Why.\n# owner: a\n# expires: 2027-01-31\n", { owner: "a", reason: "Why." }],
  ["fields before the reason", "# expires: 2027-01-31 owner: a b\n# Why.\n", { owner: "a b", reason: "Why." }],
  ["fields in capitals", "# Why.\n# Owner : a   EXPIRES: 2027-01-31\n", { owner: "a", reason: "Why." }],
  ["several lines of reason", "# Why,\n#\n#  and why.\n# owner: a expires: 2027-01-31\n", { reason: "Why, and why." }],
  ["brackets between fields", "# Why.\n# owner: a (EU) expires: 2027-01-31 (x)\n", { reason: "Why. (EU) (x)" }],
  ["several signs", "## Why.\n### owner: a expires: 2027-01-31\n", { owner: "a", reason: "Why." }],
  [
    "the name of a field inside the reason",
    "# Its owner: nobody knows.\n# owner: a expires: 2027-01-31\n",
    { owner: "a", reason: "Its owner: nobody knows." },
  ],
])("a heading may have %s", (_name, comments, mistake) => {
  const { entries, mistakes } = parseKnownFailures(`${comments}stream/lines-end-with-lf *\n`, "known.txt");
  expect(mistakes).toEqual([]);
  expect(entries).toMatchObject([{ expires: "2027-01-31", ...mistake }]);
});

test("a blank line or a comment below an entry begins another group", () => {
  const other = "# Another reason.\n# owner: b expires: 2028-02-29\n";
  const text = `# For readers only.\n\n${withEntry("stream/lines-end-with-lf *")}${other}stream/data-is-json *\n\n\n${other}stream/text-is-utf-8 *\n`;
  expect(
    parseKnownFailures(text, "known.txt").entries.map(({ rule, owner, line }) => `${line} ${rule} ${owner}`),
  ).toEqual(["5 stream/lines-end-with-lf platform-team", "8 stream/data-is-json b", "13 stream/text-is-utf-8 b"]);
  expect(mistakesOf(text)).toEqual([]);
});

test("a pattern matches only rules that can fail", () => {
  const mistake = "`stream/skipped-*` matches `stream/skipped-fits-schema`, which has several kinds of findings; ";
  expect(mistakesOf(withEntry("stream/skipped-* *"))).toEqual([expect.stringContaining(mistake)]);
  const [entry] = parseKnownFailures(withEntry("legacy/filter-* *"), "known.txt").entries;
  expect(entry?.rules).toEqual(ruleIds.filter((id) => id.startsWith("legacy/filter-")));
});

test.each<[string, object]>([
  ["stream/two-fields:comment", { code: "comment", arguments: [] }],
  ["stream/match-type-is-listed:unlisted(person,my%20team)", { code: "unlisted", arguments: ["person", "my%20team"] }],
  ["stream/content-match-fits-schema:type(/lineMatches/*/line)", { code: "type", arguments: ["/lineMatches/*/line"] }],
  ["legacy/invalid-token-is-refused:accepted(list?sort:200)", { code: "accepted", arguments: ["list?sort:200"] }],
])("%s names a finding of a rule", (word, finding) => {
  const { entries, mistakes } = parseKnownFailures(withEntry(`${word} *`), "known.txt");
  expect(mistakes).toEqual([]);
  expect(entries).toMatchObject([{ rule: word, rules: [word.replace(/:.*/u, "")], finding }]);
});

describe("one sentence for each mistake", () => {
  test.each<[string, string, readonly string[]]>([
    [
      "an unknown rule",
      withEntry("stream/lines-end-with-l *"),
      [
        "known.txt, line 3: unknown rule `stream/lines-end-with-l`; did you mean `stream/lines-end-with-lf`? `assay list` shows all rules",
      ],
    ],
    [
      "an unknown rule that is not close to any",
      withEntry("zzzzzzzzzzzzzzzzzzzz *"),
      ["known.txt, line 3: unknown rule `zzzzzzzzzzzzzzzzzzzz`; `assay list` shows all rules"],
    ],
    [
      "a rule without its area",
      withEntry("lines-end-with-lf *"),
      [
        "known.txt, line 3: unknown rule `lines-end-with-lf`; did you mean `stream/lines-end-with-lf`? `assay list` shows all rules",
      ],
    ],
    [
      "a pattern for no rule",
      withEntry("stream/chnk-* *"),
      ["known.txt, line 3: no rule begins with `stream/chnk-`; `assay list` shows all rules"],
    ],
    [
      "a pattern for every rule",
      `${withEntry("* *")}stream/* *\n`,
      [
        "known.txt, line 3: `*` matches every rule; name those that fail",
        "known.txt, line 4: `stream/*` matches every rule of an interface; name those that fail",
      ],
    ],
    [
      "a rule with several kinds of findings",
      withEntry("stream/two-fields *"),
      [
        "known.txt, line 3: `stream/two-fields` has several kinds of findings; name the known one, such as `stream/two-fields:third-field`, `stream/two-fields:not-a-field`, `stream/two-fields:comment`, `stream/two-fields:id-field` and 6 more, with its argument in brackets if it has one: `verdicts.json` of a run has both, as `code` and `argument`",
      ],
    ],
    [
      "an unknown finding",
      withEntry("stream/match-type-is-listed:unlistd(person) *"),
      [
        "known.txt, line 3: `stream/match-type-is-listed` has no finding `unlistd(person)`; did you mean `stream/match-type-is-listed:unlisted`? it is one of unlisted",
      ],
    ],
    [
      "a finding of a rule with one kind of them",
      withEntry("stream/data-is-json:data-not-json *"),
      ["known.txt, line 3: `stream/data-is-json` has one kind of finding; write it without `:data-not-json`"],
    ],
    [
      "a pattern with a star inside",
      withEntry("stream/*-fields *"),
      ["known.txt, line 3: the rule `stream/*-fields` has a `*` that is not at its end; a star is allowed only there"],
    ],
    [
      "a rule that never fails",
      withEntry("stream/filter-kind-is-known *"),
      ["known.txt, line 3: `stream/filter-kind-is-known` reports new values and never fails; remove the line"],
    ],
    [
      "a pattern for rules that never fail",
      withEntry("stream/filter-kind-* *"),
      ["known.txt, line 3: `stream/filter-kind-*` matches only rules that report and never fail; remove the line"],
    ],
    [
      "no target",
      withEntry("stream/lines-end-with-lf"),
      [
        "known.txt, line 3: `stream/lines-end-with-lf` has no target; write the rule, some space, and the target: a base URL, or `*` for any",
      ],
    ],
    [
      "a third word in a line",
      withEntry("stream/lines-end-with-lf * # OPS-412"),
      [
        "known.txt, line 3: `#` is one word too many; write the rule, some space, and the target, and put remarks into comment lines above",
      ],
    ],
    [
      "a target that is not an address",
      withEntry("stream/lines-end-with-lf staging"),
      [
        "known.txt, line 3: the target `staging` is not an http or https address; write a base URL such as https://search.example.com, or `*` for any target",
      ],
    ],
    [
      "rule and target wrong",
      withEntry("zzzzzzzzzzzzzzzzzzzz ftp://x"),
      [
        "known.txt, line 3: unknown rule `zzzzzzzzzzzzzzzzzzzz`; `assay list` shows all rules",
        "known.txt, line 3: the target `ftp://x` is not an http or https address; write a base URL such as https://search.example.com, or `*` for any target",
      ],
    ],
    [
      "the same twice, spelled in two ways",
      `${withEntry("stream/lines-end-with-lf https://X.test:443/a/")}\n${withEntry("stream/lines-end-with-lf https://u:p@x.test/a")}`,
      ["known.txt, line 7: `stream/lines-end-with-lf` has this target in line 3 already; remove one of the two"],
    ],
    [
      "no reason",
      "# owner: a expires: 2027-01-31 (OPS-412)\n#\nstream/lines-end-with-lf *\n",
      ["known.txt, line 1: the group has no reason; write in a comment line directly above its entries why they fail"],
    ],
    [
      "no owner",
      "# Why.\n# owner:   expires: 2027-01-31\nstream/lines-end-with-lf *\n",
      ["known.txt, line 1: the group has no owner; add `# owner: NAME` above its entries"],
    ],
    [
      "no expiry date",
      "# Why.\n# owner: a\nstream/lines-end-with-lf *\n",
      [
        "known.txt, line 1: the group has no expiry date; add `# expires: YYYY-MM-DD`, the last day on which it applies, above its entries",
      ],
    ],
    [
      "a blank line after the heading",
      `${heading}\nstream/lines-end-with-lf *\n`,
      [
        "known.txt, line 4: the group has no reason; write in a comment line directly above its entries why they fail",
        "known.txt, line 4: the group has no owner; add `# owner: NAME` above its entries",
        "known.txt, line 4: the group has no expiry date; add `# expires: YYYY-MM-DD`, the last day on which it applies, above its entries",
      ],
    ],
    [
      "two owners",
      "# Why.\n# owner: a expires: 2027-01-31\n# owner: b\nstream/lines-end-with-lf *\n",
      ["known.txt, line 3: the group has a second `owner:`; keep one"],
    ],
    [
      "two dates",
      "# Why.\n# owner: a expires: 2027-01-31 expires: 2027-02-28\nstream/lines-end-with-lf *\n",
      ["known.txt, line 2: the group has a second `expires:`; keep one"],
    ],
    [
      "mistakes in several groups, in the order of lines",
      `# Why.\nzzzzzzzzzzzzzzzzzzzz *\n\n${withEntry("stream/lines-end-with-lf")}`,
      [
        "known.txt, line 1: the group has no owner; add `# owner: NAME` above its entries",
        "known.txt, line 1: the group has no expiry date; add `# expires: YYYY-MM-DD`, the last day on which it applies, above its entries",
        "known.txt, line 2: unknown rule `zzzzzzzzzzzzzzzzzzzz`; `assay list` shows all rules",
        "known.txt, line 6: `stream/lines-end-with-lf` has no target; write the rule, some space, and the target: a base URL, or `*` for any",
      ],
    ],
  ])("%s", (_name, text, sentences) => {
    expect(mistakesOf(text)).toEqual(sentences);
  });

  test.each(["31.1.2027", "2027-1-31", "2027-02-30", "2027-13-01", "never", "2027-01-31T00:00:00Z", "2027-01-31 (or"])(
    "%s is no day",
    (day) => {
      expect(mistakesOf(`# Why.\n# owner: a expires: ${day}\nstream/lines-end-with-lf *\n`)).toEqual([
        `known.txt, line 2: \`${day}\` is not a day; write it as YYYY-MM-DD`,
      ]);
    },
  );

  test("a mistake in the heading drops the group, a mistake in a line drops only the line", () => {
    const text = `# Why.\nstream/data-is-json *\n\n${withEntry("stream/nothing *")}stream/lines-end-with-lf *\n`;
    expect(parseKnownFailures(text, "known.txt").entries.map(({ rule }) => rule)).toEqual(["stream/lines-end-with-lf"]);
  });
});

test("a password in a target is neither repeated nor kept", () => {
  const text = [
    "stream/lines-end-with-lf https://user:hunter2hunter2@x.test/?q",
    "stream/lines-end-with-lf https://user:hunter2hunter2@x.test/a*b",
    "stream/lines-end-with-lf ftp://user:hunter2hunter2@x.test",
    "stream/lines-end-with-lf user:hunter2hunter2@x.test*",
    "user:hunter2hunter2@x.test stream/lines-end-with-lf",
    "stream/lines-end-with-lf * user:hunter2hunter2@x.test",
    "stream/lines-end-with-lf https://user:hunter2hunter2@x.test",
    "stream/lines-end-with-lf https://user:hunter2hunter2@x.te*",
    "stream/lines-end-with-lf https://user:hunter2hunter2@x.test/a*",
  ];
  const read = parseKnownFailures(withEntry(text.join("\n")), "known.txt");
  expect(JSON.stringify(read)).not.toContain("hunter2");
  expect(read.entries.map(({ target }) => target.text)).toEqual([
    "https://x.test",
    "https://x.te*",
    "https://x.test/a*",
  ]);
  expect(read.mistakes).toHaveLength(7);
});

test.each([
  ["@staging", "`@staging`"],
  ["https://user:hunter2hunter2@x.test/?q", "`…@x.test/?q`"],
])("the target %s is quoted as %s", (word, quotation) => {
  expect(mistakesOf(withEntry(`stream/lines-end-with-lf ${word}`))[0]).toContain(`the target ${quotation} `);
});

test("a shipped list needs no date but may have one", () => {
  const text =
    "# Why.\n# owner: a\nstream/lines-end-with-lf *\n\n# Why.\n# owner: a expires: 2027-01-31\nstream/data-is-json *\n";
  const { entries, mistakes } = parseKnownFailures(text, "field", { isShipped: true });
  expect(mistakes).toEqual([]);
  expect(entries.map(({ expires, isShipped }) => [expires, isShipped])).toEqual([
    [undefined, true],
    ["2027-01-31", true],
  ]);
  expect(entries[0]).not.toHaveProperty("expires");
});

test("a removed rule is a note and not a mistake", () => {
  const { entries, mistakes, notes } = parseKnownFailures(
    withEntry("legacy/x-requested-with-is-required *\nlegacy/x-requested-with-* *"),
    "known.txt",
  );
  expect([entries, mistakes]).toEqual([[], []]);
  expect(notes).toEqual([
    "known.txt, line 3: the rule `legacy/x-requested-with-is-required` was removed, since the specification says what callers send, not what must be refused; remove the line",
    "known.txt, line 4: all rules that begin with `legacy/x-requested-with-` were removed; remove the line",
  ]);
});

test("an empty list, and one of comments alone, has neither entries nor mistakes", () => {
  expect(parseKnownFailures("", "a")).toEqual({ entries: [], mistakes: [], notes: [] });
  expect(parseKnownFailures("# Nothing is known.\n\n\n# Nothing.\n", "a")).toEqual({
    entries: [],
    mistakes: [],
    notes: [],
  });
});

test("exactly the rules that can fail can be listed, by their findings if those are of several kinds", () => {
  const isListed = (word: string) => parseKnownFailures(withEntry(`${word} *`), "a").entries.length === 1;
  const listed = (id: RuleId) => {
    const { codes } = ruleRecord(id);
    return codes.length === 0 ? isListed(id) : !isListed(id) && codes.every((code) => isListed(`${id}:${code}(a)`));
  };
  expect(ruleIds.filter(listed)).toEqual(ruleCatalogue.filter(({ basis }) => basis !== "observed").map(({ id }) => id));
});

test("each line below a heading is an entry or a one-line mistake with its number, whatever the list contains", () => {
  const anyLine = fc.oneof(
    fc.string({ unit: anyCharacter, maxLength: 20 }),
    fc.constantFrom(
      ...example.split("\n"),
      "",
      "stream/data-is-json *",
      "stream/lines-end-with-lf \u001B[31m",
      "\u202E a",
    ),
  );
  fc.assert(
    fc.property(fc.array(anyLine, { maxLength: 12 }), (lines) => {
      const { entries, mistakes } = parseKnownFailures(lines.join("\n"), "known.txt");
      const named = mistakes.map((sentence) => /^known\.txt, line (?<line>\d+): \P{Cc}+$/u.exec(sentence));
      expect(named).not.toContain(null);
      const numbers = named.map((found) => Number(found?.groups?.["line"]));
      expect(numbers).toEqual(numbers.toSorted((one, other) => one - other));
      expect(new Set(entries.map(({ rule, target }) => `${rule} ${target.text}`)).size).toBe(entries.length);
    }),
    { numRuns: repetitions(75, 300) },
  );
});

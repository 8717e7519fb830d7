import {
  failsRun,
  type KnownFailure,
  type ReportedFinding,
  ruleStanding,
  type RuleVerdict,
  type RunResult,
} from "@assay/results";
import { counted, durationOf, sizeOf } from "./counted.ts";
import { standardClientWords, verdictWords } from "./outcome-words.ts";
import { type Block, type Entry, type Line, list, type Section, text } from "./document.ts";
import { byInterface, byOperation, countsOf, signOf } from "./rule-groups.ts";
import { unspecifiedChoices, notedChoices, type OpenChoice } from "./open-choices.ts";
import { shownText } from "./shown-text.ts";
import { unjudgedGroups } from "./unjudged-groups.ts";

/** How much of a result is shown. */
export interface Detail {
  /** Entries of a list. */
  readonly entries: number;
  /** Choices that the specifications leave open, and how many messages of each. */
  readonly choices: number;
  readonly messages: number;
  /** Findings of a violated rule, and of a warning. */
  readonly findings: number;
  /** Ids of rules that were not judged for one reason. */
  readonly rules: number;
  /** Where the rest stands, such as `, all of them with --verbose`. */
  readonly where: string;
  /** Whether what is of interest to few has its place too: documented members that were not seen, notes of every basis. */
  readonly isWhole: boolean;
}

/** How many of the requirements behind a rule are shown. */
const maxRequirements = 2;

/** Where a finding is, such as `exchange x3, event 4, byte 1032`; empty when it does not say. */
export const placeOf = ({ exchange, event, offset, pointer }: ReportedFinding): string =>
  [
    exchange === undefined ? undefined : `exchange ${exchange}`,
    event === undefined ? undefined : `event ${event}`,
    offset === undefined ? undefined : `byte ${offset}`,
    pointer === undefined || pointer === "" ? undefined : `at ${pointer}`,
  ]
    .filter((part) => part !== undefined)
    .join(", ");

const findingEntry = (finding: ReportedFinding, number: number, isRepeatedNext: boolean): Entry => {
  const place = placeOf(finding);
  const { message, excerpt, standardClient, curl } = finding;
  return {
    number,
    line: message,
    below: [
      ...(place === "" ? [] : [text([{ name: place }], { isFaint: true })]),
      ...(excerpt === undefined ? [] : [{ kind: "excerpt", excerpt } as const]),
      ...(standardClient === undefined ? [] : [text(standardClientWords[standardClient])]),
      // Once for neighbours that share it.
      ...(curl === undefined || isRepeatedNext ? [] : [{ kind: "command", command: curl } as const]),
    ],
  };
};

const titleOf = (rule: RuleVerdict): Pick<Section, "sign" | "title"> => {
  const { sign, word } = verdictWords[ruleStanding(rule)];
  return { sign, title: [`${word}  `, { name: rule.rule }, `  (${rule.basis})`] };
};

const requirementBlocks = ({ requirements }: RuleVerdict): readonly Block[] => {
  const more = requirements.length - maxRequirements;
  return [
    ...requirements
      .slice(0, maxRequirements)
      .map(({ specification, section, text: words }) =>
        text([{ name: specification }, ", section ", { name: section }, ": ", words], { isFaint: true }),
      ),
    ...(more > 0 ? [text(`and ${counted(more, "more sentence")}`, { isFaint: true })] : []),
  ];
};

/**
 * A rule that failed or warned, also when that is known: its title, the sentences it comes from, and its first findings, each with
 * its place, its bytes, and the command that repeats it. Undefined for every other verdict.
 */
export function failureSection(rule: RuleVerdict, { findings: most }: Pick<Detail, "findings">): Section | undefined {
  const { verdict } = rule;
  if (verdict.outcome !== "failed" && verdict.outcome !== "warned") {
    return undefined;
  }
  const findings = verdict.findings.slice(0, most);
  const more = verdict.findings.length - findings.length + verdict.moreFindings;
  const entries = findings.map((finding, index) =>
    findingEntry(finding, index + 1, finding.curl === findings[index + 1]?.curl),
  );
  return {
    ...titleOf(rule),
    blocks: [
      text(rule.title),
      ...requirementBlocks(rule),
      { kind: "list", entries, ...(more > 0 ? { more: `and ${counted(more, "more finding")}` } : {}) },
    ],
  };
}

/** The rules that make the run fail. */
export const failedRules = ({ verdicts, run }: RunResult): readonly RuleVerdict[] =>
  verdicts.filter((rule) => failsRun(rule, run.strict) && ruleStanding(rule) !== "fixed");

/** A rule that a list of known failures names. */
export interface KnownRule {
  readonly rule: RuleVerdict;
  readonly known: KnownFailure;
}

const rulesThat = (verdicts: readonly RuleVerdict[], status: KnownFailure["status"]): readonly KnownRule[] =>
  verdicts.flatMap((rule) =>
    rule.known !== undefined && ruleStanding(rule) === status ? [{ rule, known: rule.known }] : [],
  );

/** The rules that fail or warn as a list says. */
export const knownFailures = (verdicts: readonly RuleVerdict[]): readonly KnownRule[] =>
  rulesThat(verdicts, "known-failure");

/** The rules that passed although a list expects them to fail. */
export const fixedFailures = (verdicts: readonly RuleVerdict[]): readonly KnownRule[] => rulesThat(verdicts, "fixed");

/** Where an entry stands, such as `known.txt, line 3`. */
export const entryPlace = ({ source, line }: KnownFailure): string => `${source}, line ${line}`;

/** Who looks after an entry and until when it holds. */
export const entryCare = ({ owner, expires }: KnownFailure): string =>
  `owner ${owner}${expires === undefined ? "" : `, until ${expires}`}`;

/** How often a rule failed, and the first finding. */
export const brokenSentence = ({ verdict }: RuleVerdict): string => {
  if (verdict.outcome !== "failed" && verdict.outcome !== "warned") {
    return "";
  }
  const count = counted(verdict.findings.length + verdict.moreFindings, "finding");
  return `${count}, first: ${verdict.findings[0].message}`;
};

/** What to do about an entry whose rule passed, after how often it did; one clause without a full stop. */
export const outOfList = (passed: string, known: KnownFailure): string =>
  `${passed} but is listed as a known failure; remove the entry: ${entryPlace(known)}`;

/** What to do about an entry whose rule passed, one clause without a full stop. */
export const fixedSentence = ({ rule: { verdict }, known }: KnownRule): string =>
  outOfList(verdict.outcome === "passed" ? `passed ${counted(verdict.observations, "time")}` : "passed", known);

/** A known failure with its reason, where it is listed, who looks after it and what was seen first. */
export const knownEntry = (rule: string, known: KnownFailure, seen: string): Entry => {
  const { sign, word } = verdictWords["known-failure"];
  return {
    sign,
    line: [`${word}  `, { name: rule }, ": ", known.reason],
    below: [
      text([{ url: entryPlace(known) }, "; ", { name: entryCare(known) }], { isFaint: true }),
      ...(seen === "" ? [] : [text(seen, { isFaint: true })]),
    ],
  };
};

/** Why a case of a known failure is skipped, in one line; `seen` says how often and what first. */
export const whyKnown = (known: KnownFailure, seen: string): string =>
  `known failure: ${shownText(known.reason)} (${shownText(entryPlace(known), "url")}; ${shownText(entryCare(known), "name")}); ${shownText(seen)}`;

/** Known failures, each with its reason, where it is listed, who looks after it and what was seen first. */
export const knownFailuresSection = (verdicts: readonly RuleVerdict[], { entries, where }: Detail): Section => {
  const known = knownFailures(verdicts);
  const lines = known.map(({ rule, known: entry }) => knownEntry(rule.rule, entry, brokenSentence(rule)));
  return {
    title: `Known failures: ${known.length} of ${counted(verdicts.length, "rule")}`,
    blocks: list(lines, { most: entries, where }),
  };
};

/** A rule that passed although it is listed: what to do about it, and the reason given in the list. */
export const fixedSection = (fixed: KnownRule): Section => ({
  ...titleOf(fixed.rule),
  blocks: [
    text(fixed.rule.title),
    text(fixedSentence(fixed)),
    text(["listed because: ", fixed.known.reason]),
    text([{ name: entryCare(fixed.known) }]),
  ],
});

const requirementsSection = (
  title: string,
  sentences: readonly string[],
  { detail, sign }: { readonly detail: Pick<Detail, "entries" | "where">; readonly sign?: Section["sign"] },
): Section => ({
  title,
  ...(sign === undefined ? {} : { sign }),
  blocks: list(
    sentences.map((line) => ({ line })),
    { most: detail.entries, where: detail.where },
  ),
});

/** What is wrong with the lists of known failures. */
export const mistakesSection = (
  { knownFailureMistakes = [] }: Pick<RunResult, "knownFailureMistakes">,
  detail: Pick<Detail, "entries" | "where">,
): Section => {
  const { sign } = verdictWords.failed;
  return requirementsSection(`Mistakes in the known failures: ${knownFailureMistakes.length}`, knownFailureMistakes, {
    detail,
    sign,
  });
};

/** Known failures of the tool's own lists that did not show. */
export const knownNotesSection = (
  { knownFailureNotes = [] }: Pick<RunResult, "knownFailureNotes">,
  detail: Pick<Detail, "entries" | "where">,
): Section => requirementsSection("Known failures that did not occur", knownFailureNotes, { detail });

/** The reasons for which a run decides nothing, or less than it should, each with its code. */
export const incompleteSection = (reasons: RunResult["incomplete"], most = Number.POSITIVE_INFINITY): Section => ({
  sign: verdictWords["blocked"].sign,
  title: "Incomplete, for these reasons:",
  blocks: list(
    reasons.map(({ code, message }) => ({ line: [{ name: code }, ": ", message] })),
    { most },
  ),
});

const namesLine = (names: readonly string[], most: number): Line => [
  ...names.slice(0, most).flatMap((name, index) => [...(index === 0 ? [] : [", "]), { name }]),
  ...(names.length > most ? [` and ${names.length - most} more`] : []),
];

/** Rules that were not judged, each group with its reason and its rules. */
export const unjudgedSection = (verdicts: readonly RuleVerdict[], { entries, rules: most, where }: Detail): Section => {
  const groups = unjudgedGroups(verdicts);
  const count = groups.reduce((sum, { rules }) => sum + rules.length, 0);
  const lines = groups.map(({ sign, word, reason, rules }): Entry => ({
    sign,
    line: [`${word} (${rules.length})`, ...(reason === undefined ? [] : [": ", reason])],
    below: [text(namesLine(rules, most))],
  }));
  return {
    title: `Not tested: ${count} of ${counted(verdicts.length, "rule")}`,
    blocks: list(lines, { most: entries, where }),
  };
};

const labelled = (label: string, sentences: readonly string[], { entries, where }: Detail): readonly Block[] =>
  list(
    sentences.map((sentence) => ({ line: [`${label}: `, sentence] })),
    { most: entries, where },
  );

/** Which OpenAPI document judged the answers, how it differs from the one that comes with the tool, and what was not seen. */
export const apiDocumentSection = ({ openapi }: RunResult, detail: Detail): Section => {
  const title = "OpenAPI document";
  if (openapi === undefined) {
    return { title, blocks: [] };
  }
  const { source, address = "", sha256 = "", notes, differences, unseen } = openapi;
  const rest = `${unseen.length} documented but not seen`;
  const sum: Line =
    source === "served"
      ? [
          "the target's own, ",
          { url: address },
          " (sha256 ",
          { name: sha256.slice(0, 12) },
          `); ${counted(differences.length, "difference")} from the one that comes with the tool; ${rest}`,
        ]
      : `the one that comes with the tool; ${rest}`;
  return {
    title,
    blocks: [
      text(sum),
      ...labelled("note", notes, detail),
      ...labelled("differs", differences, detail),
      ...(detail.isWhole ? labelled("not seen", unseen, detail) : []),
    ],
  };
};

const choicesSection = (title: string, choices: readonly OpenChoice[], detail: Detail): Section => ({
  title,
  blocks: list(
    choices.map(({ name, messages }) => {
      const some = messages.slice(0, detail.messages);
      const rest = messages.length - some.length;
      return {
        line: [
          { name },
          ": ",
          ...some.flatMap((message, index) => (index === 0 ? [message] : ["; ", message])),
          ...(rest > 0 ? [`; and ${rest} more`] : []),
        ],
      };
    }),
    { most: detail.choices, where: detail.where },
  ),
});

/** What the specification leaves open and this target decided. */
export const leftOpenSection = (result: RunResult, detail: Detail): Section =>
  choicesSection("Unspecified behaviour, and what this target does", unspecifiedChoices(result), detail);

/** Values that the specification does not list. */
export const newValuesSection = (result: RunResult, detail: Detail): Section =>
  choicesSection("Undocumented values", notedChoices(result, detail.isWhole), detail);

const bases = ["stated", "schema", "derived", "inferred", "observed"] as const;

/** What a basis means, in a few words. */
const basisMeaning: Readonly<Record<RuleVerdict["basis"], string>> = {
  stated: "the specification says so",
  schema: "the OpenAPI document says so",
  derived: "follows from the specification",
  inferred: "likely, not promised",
  observed: "values seen so far",
};

const ruleEntry = (rule: RuleVerdict): Entry => {
  const { sign, word } = verdictWords[ruleStanding(rule)];
  const { verdict } = rule;
  const count = verdict.outcome === "passed" ? `, ${counted(verdict.observations, "time")}` : "";
  const confirmed = verdict.outcome === "passed" && rule.proof !== undefined ? ", confirmed" : "";
  return { sign, line: [{ name: rule.rule }, `  ${word}${count}${confirmed}`] };
};

/** What the rules of a group have in common: their interface, and where all have the same one, their operation. */
const groupName = (rules: readonly RuleVerdict[]): string => {
  const operations = new Set(rules.map(({ operation }) => operation));
  return [rules[0]?.interface ?? "", ...(operations.size === 1 ? operations : [])].join(" · ");
};

/**
 * How many rules passed or did not, an entry for each basis of each interface; with `everyRule` each operation has its section, and each
 * rule its entry.
 */
export const ruleSections = (
  { verdicts, run }: Pick<RunResult, "verdicts" | "run">,
  everyRule: boolean,
): readonly Section[] =>
  (everyRule ? byOperation(verdicts) : byInterface(verdicts)).map((rules) => {
    const entries = bases.flatMap((basis): readonly Entry[] => {
      const group = rules.filter((rule) => rule.basis === basis);
      return group.length === 0
        ? []
        : [
            {
              sign: signOf(group, run.strict),
              label: basis,
              line: countsOf(group),
              note: basisMeaning[basis],
              below: everyRule ? list(group.map(ruleEntry)) : [],
            },
          ];
    });
    return {
      title: [{ name: groupName(rules) }, `: ${counted(rules.length, "rule")}`],
      blocks: [{ kind: "list", entries, isAligned: true }],
    };
  });

/** Every request with what came back. */
export const requestsSection = ({ exchanges }: RunResult): Section => ({
  title: "Requests",
  blocks: list(
    exchanges.map(({ id, probe, url, status, bytes, events, matches, durationMicros }) => ({
      line: [
        { name: id },
        " ",
        { name: probe },
        `: ${[
          status ?? "no answer",
          sizeOf(bytes),
          counted(events, "event"),
          counted(matches, "match", "matches"),
          durationOf(durationMicros),
        ].join(", ")}`,
      ],
      below: [text([{ url }], { isFaint: true })],
    })),
  ),
});

const shownFailures = 3;

/** Exchanges that failed, the first ones with their reason. */
export const failedExchangesSection = ({ exchanges }: Pick<RunResult, "exchanges">): Section => {
  const { sign } = verdictWords["blocked"];
  const failed = exchanges.flatMap(({ id, probe, failure }): readonly Entry[] =>
    failure === undefined ? [] : [{ sign, line: ["exchange ", { name: id }, " (", { name: probe }, "): ", failure] }],
  );
  return { blocks: list(failed, { most: shownFailures, where: " of the exchanges that failed" }) };
};

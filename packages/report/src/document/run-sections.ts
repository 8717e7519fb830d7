import { unspecifiedBehaviour } from "@assay/contract";
import {
  failsRun,
  type KnownFailure,
  type ReportedFinding,
  ruleStanding,
  type RuleVerdict,
  type RunResult,
} from "@assay/results";
import { counted, formatDuration, formatSize } from "./counted.ts";
import { standardClientWords, verdictWords } from "./outcome-words.ts";
import {
  type Block,
  type Entry,
  fold,
  type Line,
  list,
  joinNames,
  onPage,
  type Section,
  paragraph,
} from "./document.ts";
import { groupByInterface, groupByOperation, formatCounts, getMostSevereSign } from "./rule-groups.ts";
import { listUnspecifiedChoices, listNotedChoices, type TargetChoice } from "./target-choices.ts";
import { escapeForDisplay } from "./shown-text.ts";
import { groupUnjudged } from "./unjudged-groups.ts";

/** Limits on the shown details of a result. */
export interface DetailLimits {
  /** Maximum number of entries in a list. */
  readonly entries: number;
  /** Maximum number of unspecified behaviours, and of messages for each. */
  readonly choices: number;
  readonly messages: number;
  /** Maximum number of findings of a rule that failed or warned. */
  readonly findings: number;
  /** Maximum number of rule ids listed for one reason. */
  readonly rules: number;
  /** Appended to the number of omitted entries, such as `, all of them with --verbose`. */
  readonly restHint: string;
  /** Whether rarely needed details are included: documented responses that did not occur, and notes of every basis. */
  readonly showAll: boolean;
}

const maxRequirements = 2;

/** Describes the location of a finding, such as `exchange x3, event 4, byte 1032`. Empty if it is unknown. */
export const formatFindingLocation = ({ exchange, event, offset, pointer }: ReportedFinding): string =>
  [
    exchange === undefined ? undefined : `exchange ${exchange}`,
    event === undefined ? undefined : `event ${event}`,
    offset === undefined ? undefined : `byte ${offset}`,
    pointer === undefined || pointer === "" ? undefined : `at ${pointer}`,
  ]
    .filter((part) => part !== undefined)
    .join(", ");

const createFindingEntry = (finding: ReportedFinding, number: number, isRepeatedNext: boolean): Entry => {
  const location = formatFindingLocation(finding);
  const { message, excerpt, standardClient, curl } = finding;
  return {
    number,
    line: message,
    children: [
      ...(location === "" ? [] : [paragraph([{ name: location }], { isFaint: true })]),
      ...(excerpt === undefined ? [] : [{ kind: "excerpt", excerpt } as const]),
      ...(standardClient === undefined ? [] : [paragraph(standardClientWords[standardClient])]),
      // Printed once if the next finding has the same command.
      ...(curl === undefined || isRepeatedNext ? [] : [{ kind: "command", command: curl } as const]),
    ],
  };
};

const formatRuleTitle = (rule: RuleVerdict): Pick<Section, "sign" | "title"> => {
  const { sign, word } = verdictWords[ruleStanding(rule)];
  return { sign, title: [`${word}  `, { name: rule.rule }, `  (${rule.basis})`] };
};

const createRequirementBlocks = ({ requirements }: RuleVerdict): readonly Block[] => {
  const more = requirements.length - maxRequirements;
  return [
    ...requirements
      .slice(0, maxRequirements)
      .map(({ specification, section, text: requirementText }) =>
        paragraph([{ name: specification }, ", section ", { name: section }, ": ", requirementText], { isFaint: true }),
      ),
    ...(more > 0 ? [paragraph(`and ${counted(more, "more requirement")}`, { isFaint: true })] : []),
  ];
};

/**
 * Describes a rule that failed or warned, including known failures: its title, its requirements, and its first findings, each with its
 * location, its bytes and the command that repeats the request. Returns undefined for all other verdicts.
 */
export function createFailureSection(
  rule: RuleVerdict,
  { findings: max }: Pick<DetailLimits, "findings">,
): Section | undefined {
  const { verdict } = rule;
  if (verdict.outcome !== "failed" && verdict.outcome !== "warned") {
    return undefined;
  }
  const findings = verdict.findings.slice(0, max);
  const more = verdict.findings.length - findings.length + verdict.moreFindings;
  const entries = findings.map((finding, index) =>
    createFindingEntry(finding, index + 1, finding.curl === findings[index + 1]?.curl),
  );
  return {
    ...formatRuleTitle(rule),
    blocks: [
      paragraph(rule.title),
      ...createRequirementBlocks(rule),
      { kind: "list", entries, ...(more > 0 ? { more: `and ${counted(more, "more finding")}` } : {}) },
    ],
  };
}

/** Returns the rules that fail the run. */
export const listFailedRules = ({ verdicts, run }: RunResult): readonly RuleVerdict[] =>
  verdicts.filter((rule) => failsRun(rule, run.strict) && ruleStanding(rule) !== "fixed");

/** A rule in a list of known failures. */
export interface KnownRule {
  readonly rule: RuleVerdict;
  readonly known: KnownFailure;
}

const selectRulesWithStatus = (
  verdicts: readonly RuleVerdict[],
  status: KnownFailure["status"],
): readonly KnownRule[] =>
  verdicts.flatMap((rule) =>
    rule.known !== undefined && ruleStanding(rule) === status ? [{ rule, known: rule.known }] : [],
  );

/** Returns known failures that occurred. */
export const listKnownFailures = (verdicts: readonly RuleVerdict[]): readonly KnownRule[] =>
  selectRulesWithStatus(verdicts, "known-failure");

/** Returns known failures whose rules passed. */
export const listFixedFailures = (verdicts: readonly RuleVerdict[]): readonly KnownRule[] =>
  selectRulesWithStatus(verdicts, "fixed");

/** Formats the location of an entry, such as `known.txt, line 3`. */
export const formatEntryLocation = ({ source, line }: KnownFailure): string => `${source}, line ${line}`;

/** Formats the owner and expiry date of an entry. */
export const formatEntryOwner = ({ owner, expires }: KnownFailure): string =>
  `owner ${owner}${expires === undefined ? "" : `, until ${expires}`}`;

/** Formats the number of findings, and the first one. */
export const describeFindings = ({ verdict }: RuleVerdict): string => {
  if (verdict.outcome !== "failed" && verdict.outcome !== "warned") {
    return "";
  }
  const count = counted(verdict.findings.length + verdict.moreFindings, "finding");
  return `${count}, first: ${verdict.findings[0].message}`;
};

/** Returns advice about an entry whose rule passed, as a clause that begins with `passed`. */
export const describeFixedEntry = (passed: string, known: KnownFailure): string =>
  `${passed} but is listed as a known failure; remove the entry: ${formatEntryLocation(known)}`;

/** Like `describeFixedEntry`, for a rule of a run. */
export const describeFixed = ({ rule: { verdict }, known }: KnownRule): string =>
  describeFixedEntry(
    verdict.outcome === "passed" ? `passed ${counted(verdict.observations, "time")}` : "passed",
    known,
  );

/** Creates the entry of a known failure: its reason, its location in the list, its owner and the first finding. */
export const createKnownEntry = (rule: string, known: KnownFailure, occurrence: string): Entry => {
  const { sign, word } = verdictWords["known-failure"];
  return {
    sign,
    line: [`${word}  `, { name: rule }, ": ", known.reason],
    children: [
      paragraph([{ url: formatEntryLocation(known) }, "; ", { name: formatEntryOwner(known) }], { isFaint: true }),
      ...(occurrence === "" ? [] : [paragraph(occurrence, { isFaint: true })]),
    ],
  };
};

/** Returns why the test case of a known failure is skipped, in one line. */
export const formatSkipReason = (known: KnownFailure, occurrence: string): string =>
  `known failure: ${escapeForDisplay(known.reason)} (${escapeForDisplay(formatEntryLocation(known), "url")}; ${escapeForDisplay(formatEntryOwner(known), "name")}); ${escapeForDisplay(occurrence)}`;

export const createKnownFailuresSection = (
  verdicts: readonly RuleVerdict[],
  { entries, restHint }: DetailLimits,
): Section => {
  const failures = listKnownFailures(verdicts);
  const lines = failures.map(({ rule, known: entry }) => createKnownEntry(rule.rule, entry, describeFindings(rule)));
  return {
    title: `Known failures: ${failures.length} of ${counted(verdicts.length, "rule")}`,
    blocks: list(lines, { max: entries, restHint }),
  };
};

/** Describes a known failure whose rule passed: advice, and the reason in the list. */
export const createFixedSection = (fixedRule: KnownRule): Section => ({
  ...formatRuleTitle(fixedRule.rule),
  blocks: [
    paragraph(fixedRule.rule.title),
    paragraph(describeFixed(fixedRule)),
    paragraph(["listed because: ", fixedRule.known.reason]),
    paragraph([{ name: formatEntryOwner(fixedRule.known) }]),
  ],
});

const createSentencesSection = (
  title: string,
  sentences: readonly string[],
  { detail, sign }: { readonly detail: Pick<DetailLimits, "entries" | "restHint">; readonly sign?: Section["sign"] },
): Section => ({
  title,
  ...(sign === undefined ? {} : { sign }),
  blocks: list(
    sentences.map((line) => ({ line })),
    { max: detail.entries, restHint: detail.restHint },
  ),
});

/** Lists the errors in known-failure lists. */
export const createMistakesSection = (
  { knownFailureMistakes = [] }: Pick<RunResult, "knownFailureMistakes">,
  detail: Pick<DetailLimits, "entries" | "restHint">,
): Section => {
  const { sign } = verdictWords.failed;
  return createSentencesSection(
    `Mistakes in the known failures: ${knownFailureMistakes.length}`,
    knownFailureMistakes,
    {
      detail,
      sign,
    },
  );
};

/** Lists known failures of Assay's own lists that did not occur. */
export const createKnownNotesSection = (
  { knownFailureNotes = [] }: Pick<RunResult, "knownFailureNotes">,
  detail: Pick<DetailLimits, "entries" | "restHint">,
): Section => createSentencesSection("Known failures that did not occur", knownFailureNotes, { detail });

/** Lists the reasons a run is incomplete, with their codes. */
export const createIncompleteSection = (reasons: RunResult["incomplete"], max = Number.POSITIVE_INFINITY): Section => ({
  sign: verdictWords["blocked"].sign,
  title: "Incomplete, for these reasons:",
  blocks: list(
    reasons.map(({ code, message }) => ({ line: [{ name: code }, ": ", message] })),
    { max },
  ),
});

/** Lists rules without a verdict on the target, grouped by reason. */
export const createUnjudgedSection = (
  verdicts: readonly RuleVerdict[],
  { entries, rules: max, restHint }: DetailLimits,
): Section => {
  const groups = groupUnjudged(verdicts);
  const count = groups.reduce((sum, { rules }) => sum + rules.length, 0);
  const lines = groups.map(({ sign, word, reason, rules }): Entry => ({
    sign,
    line: [`${word} (${rules.length})`, ...(reason === undefined ? [] : [": ", reason])],
    children: [paragraph(joinNames(rules, max))],
  }));
  return {
    title: `Not tested: ${count} of ${counted(verdicts.length, "rule")}`,
    blocks: list(lines, { max: entries, restHint }),
  };
};

const createLabelledList = (
  label: string,
  sentences: readonly string[],
  { entries, restHint }: DetailLimits,
): readonly Block[] =>
  list(
    sentences.map((sentence) => ({ line: [`${label}: `, sentence] })),
    { max: entries, restHint },
  );

/**
 * Describes the OpenAPI document that responses were checked against, its differences from the one that Assay includes, and the
 * documented responses that did not occur.
 */
export const createApiDocumentSection = ({ openapi }: RunResult, detail: DetailLimits): Section => {
  const title = "OpenAPI document";
  if (openapi === undefined) {
    return { title, blocks: [] };
  }
  const { source, address = "", sha256 = "", notes, differences, unseen } = openapi;
  const unseenText = `${unseen.length} documented but not seen`;
  const summary: Line =
    source === "served"
      ? [
          "the target's own, ",
          { url: address },
          " (sha256 ",
          { name: sha256.slice(0, 12) },
          `); ${counted(differences.length, "difference")} from the one that comes with Assay; ${unseenText}`,
        ]
      : `the one that comes with Assay; ${unseenText}`;
  return {
    title,
    blocks: [
      paragraph(summary),
      ...createLabelledList("note", notes, detail),
      ...fold(
        `${counted(differences.length, "difference")} from the document that comes with Assay`,
        createLabelledList("differs", differences, detail),
      ),
      ...(detail.showAll
        ? fold(
            `${counted(unseen.length, "documented response")} that the run did not show`,
            createLabelledList("not seen", unseen, detail),
          )
        : []),
    ],
  };
};

const unspecifiedById = new Map<string, string>(unspecifiedBehaviour.map(({ id, unknown }) => [id, unknown]));

const createChoicesSection = (title: string, choices: readonly TargetChoice[], detail: DetailLimits): Section => ({
  title,
  blocks: list(
    choices.map(({ name, messages }) => {
      const shownMessages = messages.slice(0, detail.messages);
      const moreCount = messages.length - shownMessages.length;
      return {
        line: [
          { name },
          ": ",
          ...shownMessages.flatMap((message, index) => (index === 0 ? [message] : ["; ", message])),
          ...(moreCount > 0 ? [`; and ${moreCount} more`] : []),
        ],
        ...(unspecifiedById.has(name)
          ? { children: [onPage([paragraph(unspecifiedById.get(name) ?? "", { isFaint: true })])] }
          : {}),
      };
    }),
    { max: detail.choices, restHint: detail.restHint },
  ),
});

/** Lists behaviour that the specifications do not define, with the behaviour of this target. */
export const createUnspecifiedSection = (result: RunResult, detail: DetailLimits): Section =>
  createChoicesSection("Unspecified behaviour, and what this target does", listUnspecifiedChoices(result), detail);

/** Lists values that the specifications do not list. */
export const createUndocumentedValuesSection = (result: RunResult, detail: DetailLimits): Section =>
  createChoicesSection("Undocumented values", listNotedChoices(result, detail.showAll), detail);

const bases = ["stated", "schema", "derived", "inferred", "observed"] as const;

/** The meaning of each basis. */
const basisMeaning: Readonly<Record<RuleVerdict["basis"], string>> = {
  stated: "the specification says so",
  schema: "the OpenAPI document says so",
  derived: "follows from the specification",
  inferred: "likely, not promised",
  observed: "values seen so far",
};

const createRuleEntry = (rule: RuleVerdict): Entry => {
  const { sign, word } = verdictWords[ruleStanding(rule)];
  const { verdict } = rule;
  const count = verdict.outcome === "passed" ? `, ${counted(verdict.observations, "time")}` : "";
  const confirmed = verdict.outcome === "passed" && rule.proof !== undefined ? ", confirmed" : "";
  return { sign, line: [{ name: rule.rule }, `  ${word}${count}${confirmed}`] };
};

/** Returns the interface of the rules, and their operation if it is the same for all. */
const groupName = (rules: readonly RuleVerdict[]): string => {
  const operations = new Set(rules.map(({ operation }) => operation));
  return [rules[0]?.interface ?? "", ...(operations.size === 1 ? operations : [])].join(" · ");
};

/**
 * Lists the verdicts of rules: one section for each interface, with one entry for each basis. With `showEachRule`, one section for each
 * operation, with one entry for each rule.
 */
export const createRuleSections = (
  { verdicts, run }: Pick<RunResult, "verdicts" | "run">,
  showEachRule: boolean,
): readonly Section[] =>
  (showEachRule ? groupByOperation(verdicts) : groupByInterface(verdicts)).map((rules) => {
    const entries = bases.flatMap((basis): readonly Entry[] => {
      const group = rules.filter((rule) => rule.basis === basis);
      return group.length === 0
        ? []
        : [
            {
              sign: getMostSevereSign(group, run.strict),
              label: basis,
              line: formatCounts(group),
              note: basisMeaning[basis],
              children: showEachRule ? list(group.map(createRuleEntry)) : [],
            },
          ];
    });
    return {
      title: [{ name: groupName(rules) }, `: ${counted(rules.length, "rule")}`],
      blocks: [{ kind: "list", entries, isAligned: true }],
    };
  });

/** Lists all requests and responses. */
export const createRequestsSection = ({ exchanges }: RunResult): Section => ({
  title: "Requests",
  blocks: list(
    exchanges.map(({ id, probe, url, status, bytes, events, matches, durationMicros }) => ({
      line: [
        { name: id },
        " ",
        { name: probe },
        `: ${[
          status ?? "no answer",
          formatSize(bytes),
          counted(events, "event"),
          counted(matches, "match", "matches"),
          formatDuration(durationMicros),
        ].join(", ")}`,
      ],
      children: [paragraph([{ url }], { isFaint: true })],
    })),
  ),
});

/** Lists at most `max` failed exchanges, with their reasons. Default: 3. */
export const createFailedExchangesSection = ({ exchanges }: Pick<RunResult, "exchanges">, max = 3): Section => {
  const { sign } = verdictWords["blocked"];
  const failed = exchanges.flatMap(({ id, probe, failure }): readonly Entry[] =>
    failure === undefined ? [] : [{ sign, line: ["exchange ", { name: id }, " (", { name: probe }, "): ", failure] }],
  );
  return { blocks: list(failed, { max, restHint: " of the exchanges that failed" }) };
};

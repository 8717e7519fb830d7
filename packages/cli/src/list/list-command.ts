import {
  HarnessError,
  allRequirements,
  defined,
  unspecifiedBehaviour,
  nearestName,
  ruleCatalogue,
} from "@assay/contract";
import { readBundle, visibleText } from "@assay/evidence";
import { listFaults } from "@assay/reference-server";
import type { FaultParameter, FaultSummary } from "@assay/reference-server";
import { renderCoverage, renderList } from "@assay/report";
import type { ListedRule } from "@assay/report";
import { ruleStanding } from "@assay/results";
import { judgeBundle, getProfile, profileNames, describePlanCoverage } from "@assay/runner";
import type { AddCommand, CommandContext } from "../command-context.ts";
import { type OptionsOf, addFlags, withConflicts, textFlag, switchFlag } from "../flag.ts";
import { resolveRunArgument } from "../latest-run.ts";
import { findRunToJudge } from "../run-to-judge.ts";

/** Maximum number of choices that are shown. `--json` contains all. */
const maxChoices = 6;

function formatParameter([name, parameter]: readonly [string, FaultParameter]): string {
  if (!("choices" in parameter)) {
    return `${name}=${parameter.default}`;
  }
  const { choices } = parameter;
  return choices.length > maxChoices
    ? `${name}=${parameter.default} or ${choices.length - 1} more`
    : `${name}=${choices.join(" or ")}`;
}

const formatTitle = ({ description, parameters }: FaultSummary): string => {
  const formattedParameters = Object.entries(parameters).map((entry) => formatParameter(entry));
  return formattedParameters.length === 0 ? description : `${description} (${formattedParameters.join(", ")})`;
};

/** Lists the faults of the reference server as rows: id, the rule that should fail, and the description with its parameters. */
const createFaultRows = (): readonly ListedRule[] =>
  listFaults().map((fault) => ({ id: fault.id, basis: fault.attacks ?? "none", title: formatTitle(fault) }));

const flags = {
  coverage: switchFlag("requirements instead of rules"),
  run: textFlag("<RUN>", "with --coverage: add the verdicts of this run"),
  unspecified: withConflicts(switchFlag("unspecified behaviour instead of rules"), "coverage"),
  faults: withConflicts(switchFlag("faults of the reference server instead of rules"), "coverage", "unspecified"),
  profiles: withConflicts(switchFlag("profiles instead of rules"), "coverage", "unspecified", "faults"),
  gaps: { ...switchFlag("former name of --unspecified"), isHidden: true },
  json: switchFlag("machine-readable output"),
};

type ListOptions = OptionsOf<typeof flags>;

const examples = `
Examples:
  assay list                     every rule: id, basis, title
  assay list filters             rules, faults and unspecified behaviour with this word
  assay list --faults comment    only faults with this word
  assay list --coverage          every requirement with its rules, and what a run combines
  assay list --coverage --run RUN   with the verdicts of a stored run
  assay list --unspecified       unspecified behaviour, and what Assay accepts
  assay list --faults            every fault of the reference server
  assay list --profiles          the rules of each profile, and which are required
  assay list --json              every rule as JSON`;

/** Adds `assay list`. */
export const listCommand: AddCommand = (program, context, finish) => {
  addFlags(program.command("list"), flags)
    .summary("Show rules, requirements, faults and profiles.")
    .description("Show rules, requirements, unspecified behaviour, faults or profiles.")
    .argument("[WORD...]", "only entries with all of these words")
    .addHelpText("after", examples)
    .action(async (words: readonly string[], { gaps, ...otherOptions }: ListOptions) => {
      if (gaps === true) {
        context.err("note: `--gaps` is called `--unspecified` now; the next version rejects the former name\n");
      }
      const options: ListOptions = gaps === true ? { ...otherOptions, unspecified: true } : otherOptions;
      const { data, text } =
        words.length > 0
          ? (findListing(words, options) ?? searchLists(words, options))
          : options.run === undefined
            ? selectListing(options)
            : await listRunCoverage(options, context);
      context.out(options.json === true ? `${JSON.stringify(data(), null, 2)}\n` : text(context.terminal));
      finish(0);
    });
};

/** A list, as data and as text. */
interface Listing {
  readonly data: () => unknown;
  readonly text: (terminal: CommandContext["terminal"]) => string;
}

const listings = {
  rules: { data: () => ruleCatalogue, text: (terminal) => renderList(ruleCatalogue, terminal) },
  coverage: {
    data: () => allRequirements,
    text: (terminal) => renderCoverage(allRequirements, { ...terminal, pairs: describePlanCoverage() }),
  },
  unspecified: {
    data: () => unspecifiedBehaviour,
    text: (terminal) => renderList(unspecifiedBehaviour.map(createUnspecifiedRow), terminal),
  },
  faults: { data: () => listFaults(), text: (terminal) => renderList(createFaultRows(), terminal) },
  profiles: {
    data: () => profileNames.map((name) => getProfile(name)),
    text: (terminal) => renderProfileList(terminal),
  },
} as const satisfies Record<string, Listing>;

/** Returns the requirements with the verdicts of a stored run. Throws for a folder without a run, like `assay judge`. */
async function listRunCoverage({ coverage, run }: ListOptions, context: CommandContext): Promise<Listing> {
  if (coverage !== true) {
    throw new HarnessError("usage", "--run shows the coverage of a run; use it with --coverage");
  }
  const { verdicts } = await judgeBundle(
    await readBundle(findRunToJudge(resolveRunArgument(run, context, "evidence"), context.cwd)),
  );
  const standings = new Map<string, string>(verdicts.map((verdict) => [verdict.rule, ruleStanding(verdict)]));
  const proofs = new Map(verdicts.map(({ rule, proof }) => [rule, proof]));
  const confirmedRules = new Set(
    verdicts.flatMap(({ rule, verdict, proof }) => (verdict.outcome === "passed" && proof !== undefined ? [rule] : [])),
  );
  const describeRules = (ids: readonly string[]) =>
    ids.map((id) => ({ id, seen: standings.get(id) ?? "not-selected", ...defined({ proof: proofs.get(id) }) }));
  return {
    data: () =>
      allRequirements.map((requirement) =>
        requirement.coverage.kind === "rules"
          ? { ...requirement, coverage: { ...requirement.coverage, rules: describeRules(requirement.coverage.rules) } }
          : requirement,
      ),
    text: (terminal) => renderCoverage(allRequirements, { ...terminal, standings, confirmed: confirmedRules }),
  };
}

const createUnspecifiedRow = ({
  id,
  origin,
  unknown,
  accepted,
}: (typeof unspecifiedBehaviour)[number]): ListedRule => ({
  id,
  basis: origin,
  title: `${unknown} (accepted: ${accepted.join("; ")})`,
});

function selectListing({ coverage, unspecified, faults, profiles }: ListOptions): Listing {
  const selectedName = Object.entries({ coverage, unspecified, faults, profiles }).find(
    ([, isSelected]) => isSelected === true,
  )?.[0];
  return selectedName === undefined || !isListing(selectedName) ? listings.rules : listings[selectedName];
}

/** Lists that can be searched. */
const searchableLists = {
  rules: (): readonly ListedRule[] => ruleCatalogue,
  faults: createFaultRows,
  unspecified: (): readonly ListedRule[] => unspecifiedBehaviour.map(createUnspecifiedRow),
} as const;
const kinds = ["rules", "faults", "unspecified"] as const;
const kindLabels: Readonly<Record<(typeof kinds)[number], string>> = {
  rules: "rule",
  faults: "fault",
  unspecified: "unspecified",
};

/**
 * Returns the entries that contain all words in their id or text, ignoring case. Searches only the selected list with `--faults` or
 * `--unspecified`, otherwise all lists. Throws a `HarnessError` with the nearest id if there is no match, and one for lists that cannot be
 * searched.
 */
function searchLists(words: readonly string[], options: ListOptions): Listing {
  const unsearchable = (["coverage", "profiles"] as const).find((name) => options[name] === true);
  if (unsearchable !== undefined) {
    throw new HarnessError(
      "usage",
      `words select rules, faults and unspecified behaviour; remove --${unsearchable}, or the words`,
    );
  }
  const selectedKinds = kinds.filter((kind) => kind !== "rules" && options[kind] === true);
  const containsAllWords = ({ id, title }: ListedRule): boolean => {
    const text = `${id} ${title}`.toLowerCase();
    return words.every((word) => text.includes(word.toLowerCase()));
  };
  const matches = (selectedKinds.length === 0 ? kinds : selectedKinds).map((kind) => ({
    kind,
    rows: searchableLists[kind]().filter(containsAllWords),
  }));
  const rows = matches.flatMap((list) =>
    list.rows.map((row) => ({ ...row, basis: `${kindLabels[list.kind]}, ${row.basis}` })),
  );
  if (rows.length === 0) {
    const ids = matches.flatMap(({ kind }) => searchableLists[kind]().map(({ id }) => id));
    const text = words.join(" ");
    const suggestion = nearestName(text, ids) ?? nearestName(`stream/${text}`, ids);
    const hint = suggestion === undefined ? "" : `; did you mean \`${suggestion}\`?`;
    throw new HarnessError("usage", `no id or text contains \`${visibleText(text, 100)}\`${hint}`);
  }
  return {
    data: () => Object.fromEntries(matches.map((list) => [list.kind, list.rows])),
    text: (terminal) => renderList(rows, terminal),
  };
}

/** Returns the list named by a single word: `assay list faults` is `assay list --faults`. */
function findListing([name = "", ...moreWords]: readonly string[], options: ListOptions): Listing | undefined {
  const hasFlag = Object.keys(listings).some((key) => Object.hasOwn(options, key));
  return moreWords.length === 0 && !hasFlag && isListing(name) ? listings[name] : undefined;
}

const isListing = (name: string): name is keyof typeof listings => Object.hasOwn(listings, name);

const renderProfileList = (terminal: CommandContext["terminal"]): string =>
  renderList(
    profileNames.map((name) => {
      const { purpose, rules, mustTest } = getProfile(name);
      return { id: name, basis: `${rules.length} rules, ${mustTest.length} required`, title: purpose };
    }),
    terminal,
  );

import { ruleRecord } from "@assay/contract";
import type { RuleId } from "@assay/contract";

const findMore = "choose a `--query` that finds at least 20 lines";
const askMore = "allow more with `--questions`, and more time with `--question-timeout`";
const noCursor =
  "no list told a cursor for the page after it; none has to, and a short list has none: allow more with `--questions`";
const noTime = (name: string): string => `no two answers showed a readable \`${name}\` of the same; ${askMore}`;
const noDone = "no stream came to its `done`, which every stream has; `assay doctor` may tell what cuts them off";
const noWholeStream = `no stream that came to its \`done\` showed it; ${findMore}`;
/** Members that the current interface need not have. */
const noCurrentTime = (name: string): string =>
  `no two answers showed \`${name}\` of the same, which the current interface need not have; else ${askMore}`;

/** Why a rule may have met nothing to judge and what to do, where there is more to say than of others like it. */
const ofRule: Partial<Record<RuleId, string>> = {
  "stream/problem-has-alert":
    "no search met a problem that ended it; the target may understand the query that is meant to be none",
  "stream/skipped-fits-schema":
    "no progress named anything that was skipped; choose a `--query` that finds more than is shown",
  "stream/skipped-reason-is-known":
    "no progress named anything that was skipped; choose a `--query` that finds more than is shown",
  "stream/skipped-severity-is-known":
    "no progress named anything that was skipped; choose a `--query` that finds more than is shown",
  "stream/limit-suggestion-raises-count":
    "no limit was met that suggests a higher count; choose a `--query` that finds more than is shown",
  "stream/done-is-an-empty-object": noDone,
  "stream/final-progress-before-done": noDone,
  "stream/response-ends-after-done": noDone,
  "stream/repositories-count-covers-matches": noWholeStream,
  "stream/repositories-count-fits-matches": noWholeStream,
  "stream/match-count-fits-matches": noWholeStream,
  "stream/filter-count-fits-matches": noWholeStream,
  "stream/alert-is-an-object": "no alert came; none has to",
  "stream/alert-level-is-listed": "no alert came; none has to",
  "stream/path-ranges-stay-in-the-path":
    "no content match marked a part of its path; choose a `--query` that stands in names of files as well",
  "stream/results-arrive-incrementally": `no search took a second and found something; ${findMore}, in more than one repository`,
  "stream/filter-kind-is-known": `no filters were suggested; ${findMore}`,
  "stream/filters-only-grow": `no search sent \`filters\` twice; ${findMore}`,
  "legacy/source-fits-schema": `no answer had a source, as one may; ${askMore}`,
  "legacy/reads-are-current": noTime("updated_at"),
  "legacy/created-at-is-stable": noTime("created_at"),
  "legacy/updated-at-never-falls": noTime("updated_at"),
  "legacy/pages-do-not-overlap": noCursor,
  "current/reads-are-current": noCurrentTime("updateTime"),
  "current/created-at-is-stable": noCurrentTime("createTime"),
  "current/updated-at-never-falls": noCurrentTime("updateTime"),
  "current/pages-do-not-overlap": noCursor,
};

/** Rules about streams, by the searches that they need; the first that fits. */
const ofSearches = [
  ["access", "no search with this credential could be told apart; give the tokens that `assay doctor` names"],
  [
    "comparison",
    `no line was found by which two searches could be compared; ${findMore} in one file, on an index that does not change meanwhile`,
  ],
  ["parameters", `no search with this parameter found enough to show it; ${findMore}`],
  ["stream", `nothing in the answers showed it; ${findMore}`],
] as const;

/** Rules about conversations, by the operation. */
const ofOperation: Readonly<Record<string, string>> = {
  create: `no question was created; ${askMore}`,
  get: `no question was seen in this state; ${askMore}`,
  list: "no list held enough conversations to show it; allow several questions with `--questions`",
  "follow-up": `no follow-up was asked; ${askMore}`,
  cancel: "no question could be cancelled while it was processing; allow more with `--questions`",
  delete: "no conversation of the run was deleted; allow questions with `--questions`",
};

/** Why a rule was not observed and what may help, where the rule itself does not say it. */
export function unobservedReason(id: RuleId): string {
  const { interface: name, operation, searches } = ruleRecord(id);
  const own = ofRule[id];
  if (own !== undefined) {
    return own;
  }
  if (name === "stream") {
    const purposes: readonly string[] = searches;
    return ofSearches.find(([purpose]) => purposes.includes(purpose))?.[1] ?? ofSearches[3][1];
  }
  return name === "migration"
    ? `no conversation was recognised in both interfaces; select both (no --interface) with a token that both accept, and ${askMore}`
    : (ofOperation[operation] ?? `no question showed it; ${askMore}`);
}

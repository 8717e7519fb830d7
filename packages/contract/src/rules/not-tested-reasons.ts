import type { RuleOperation, RuleRecord, SearchPurpose } from "../rule-record.ts";

export const findMore = "choose a `--query` that finds at least 20 lines";
export const askMore = "allow more with `--questions`, and more time with `--question-timeout`";
export const noCursor =
  "no list told a cursor for the page after it; none has to, and a short list has none: allow more with `--questions`";
export const noTime = (name: string): string => `no two answers showed a readable \`${name}\` of the same; ${askMore}`;
export const noDone =
  "no stream came to its `done`, which every stream has; `assay doctor` may tell what cuts them off";
export const noWholeStream = `no stream that came to its \`done\` showed it; ${findMore}`;
/** Members that the current interface need not have. */
export const noCurrentTime = (name: string): string =>
  `no two answers showed \`${name}\` of the same, which the current interface need not have; else ${askMore}`;

export const noAlert = "no alert came; none has to";
export const nothingSkipped =
  "no progress named anything that was skipped; choose a `--query` that finds more than is shown";
export const notInBoth = `no conversation was recognised in both interfaces; select both (no --interface) with a token that both accept, and ${askMore}`;

const reasons: Readonly<Record<Exclude<SearchPurpose, "stream"> | RuleOperation, string>> = {
  access: "no search with this credential could be told apart; give the tokens that `assay doctor` names",
  comparison: `no line was found by which two searches could be compared; ${findMore} in one file, on an index that does not change meanwhile`,
  parameters: `no search with this parameter found enough to show it; ${findMore}`,
  search: `nothing in the answers showed it; ${findMore}`,
  create: `no question was created; ${askMore}`,
  get: `no question was seen in this state; ${askMore}`,
  list: "no list held enough conversations to show it; allow several questions with `--questions`",
  "follow-up": `no follow-up was asked; ${askMore}`,
  cancel: "no question could be cancelled while it was processing; allow more with `--questions`",
  delete: "no conversation of the run was deleted; allow questions with `--questions`",
  conversation: `no question showed it; ${askMore}`,
};

/** The hardest to get first. */
const purposes = ["access", "comparison", "parameters"] as const;

/** Why a rule may not have been tested, if its record does not say it: by the searches that it needs, else by its operation. */
export const notTestedReason = ({ searches, operation }: Pick<RuleRecord, "searches" | "operation">): string =>
  reasons[purposes.find((purpose) => searches.includes(purpose)) ?? operation];

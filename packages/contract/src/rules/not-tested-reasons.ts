import type { RuleOperation, RuleRecord, SearchPurpose } from "../rule-record.ts";

export const findMore = "choose a `--query` that finds at least 20 lines";
export const askMore = "allow more with `--questions`, and more time with `--question-timeout`";
export const noCursor =
  "no list had a cursor for its next page; it is optional, and a short list has none: allow more with `--questions`";
export const noTime = (name: string): string =>
  `no two responses showed a readable \`${name}\` of the same conversation or question; ${askMore}`;
export const noDone =
  "no stream ended with `done`, which every stream must have; `assay doctor` may show what cuts them off";
export const noWholeStream = `no stream that ended with \`done\` showed it; ${findMore}`;
/** The current interface need not have these members. */
export const noCurrentTime = (name: string): string =>
  `no two responses showed \`${name}\` of the same conversation, which is optional in the current interface; if it is sent, ${askMore}`;

export const noAlert = "no alert was sent; alerts are optional";
export const nothingSkipped = "no progress named skipped results; choose a `--query` that finds more than is shown";
export const notInBoth = `no conversation was recognised in both interfaces; select both (no --interface) with a token that both accept, and ${askMore}`;

const reasons: Readonly<Record<Exclude<SearchPurpose, "stream"> | RuleOperation, string>> = {
  access: "no search with this credential showed a difference; give the tokens that `assay doctor` names",
  comparison: `no line was found that lets two searches be compared; ${findMore} in one file, on an index that does not change during the run`,
  parameters: `no search with this parameter found enough to show it; ${findMore}`,
  search: `no response showed it; ${findMore}`,
  create: `no question was created; ${askMore}`,
  get: `no question was seen in this state; ${askMore}`,
  list: "no list held enough conversations to show it; allow several questions with `--questions`",
  "follow-up": `no follow-up was asked; ${askMore}`,
  cancel: "no question could be cancelled while it was processing; allow more with `--questions`",
  delete: "no conversation of the run was deleted; allow questions with `--questions`",
  conversation: `no question showed it; ${askMore}`,
};

/** The hardest to obtain first. */
const purposes = ["access", "comparison", "parameters"] as const;

/**
 * Why a rule may not have been tested, for records without a reason: by the searches that the rule needs, else by its
 * operation.
 */
export const notTestedReason = ({ searches, operation }: Pick<RuleRecord, "searches" | "operation">): string =>
  reasons[purposes.find((purpose) => searches.includes(purpose)) ?? operation];

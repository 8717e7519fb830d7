import type { Basis, RuleRecord } from "./rule-record.ts";

const search = (id: string, basis: Basis, title: string, sentences: RuleRecord["sentences"]): RuleRecord => ({
  id: `stream/${id}`,
  title,
  basis,
  sentences: sentences.map((sentence) => `search-stream#${sentence}`) as unknown as RuleRecord["sentences"],
  interface: "stream",
  operation: "search",
});

/** Every rule of the streaming document. */
export const ruleCatalogue: readonly RuleRecord[] = [];
export { search };

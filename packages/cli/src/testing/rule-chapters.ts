import { allSentences, ruleCatalogue } from "@assay/contract";
import { listFaults } from "@assay/reference-server";
import type { CataloguedRule, RuleChapter } from "@assay/report";
import { profileNamed, profileNames } from "@assay/runner";

type Rule = (typeof ruleCatalogue)[number];

const titles = {
  stream: "Streaming search",
  legacy: "Conversations, legacy interface",
  current: "Conversations, current interface",
  migration: "Both interfaces of a conversation",
} as const satisfies Record<Rule["interface"], string>;

const profiles = profileNames.map((name) => profileNamed(name));
const faults = listFaults();

const catalogued = ({ id, basis, title, interface: name, operation, sentences }: Rule): CataloguedRule => ({
  id,
  basis,
  title,
  interface: name,
  operation,
  sentences: allSentences.filter((sentence) => sentences.includes(sentence.id)),
  mustObserveIn: profiles.filter(({ mustObserve }) => mustObserve.some((rule) => rule === id)).map(({ name: n }) => n),
  faults: faults.filter(({ attacks }) => attacks === id).map((fault) => fault.id),
});

/** Every rule of the catalogue by interface, with its sentences and the faults that make it speak. */
export const ruleChapters = (): readonly RuleChapter[] =>
  (["stream", "legacy", "current", "migration"] as const).map((name) => ({
    title: titles[name],
    rules: ruleCatalogue.filter((rule) => rule.interface === name).map(catalogued),
  }));

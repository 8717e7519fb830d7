import { ruleCatalogue } from "@assay/contract";
import type { RuleInterface } from "@assay/contract";
import type { RuleChapter } from "@assay/report";
import { describeRule } from "../explain/describe-rule.ts";

const titles = {
  stream: "Streaming search",
  legacy: "Conversations, legacy interface",
  current: "Conversations, current interface",
  migration: "Both interfaces of a conversation",
} as const satisfies Record<RuleInterface, string>;

/** Every rule of the catalogue by interface, with its requirements and the faults that make it fail. */
export const ruleChapters = (): readonly RuleChapter[] =>
  (["stream", "legacy", "current", "migration"] as const).map((name) => ({
    title: titles[name],
    rules: ruleCatalogue.filter((rule) => rule.interface === name).map(describeRule),
  }));

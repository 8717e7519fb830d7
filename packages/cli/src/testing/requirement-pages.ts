import { allRequirements, unspecifiedBehaviour } from "@assay/contract";
import type { UnspecifiedChapter, ListedSpecification } from "@assay/report";

const names = [
  "search-stream",
  "conversation-api",
] as const satisfies readonly (typeof allRequirements)[number]["specification"][];
type SpecificationName = (typeof names)[number];

const titles = {
  "search-stream": "Streaming search",
  "conversation-api": "Conversations",
} as const satisfies Record<SpecificationName, string>;

/** What each section is about. */
const sectionTitles = {
  "search-stream": {
    "1": "purpose",
    "2": "data of events",
    "2.1": "filters",
    "2.2": "progress",
    "2.3": "matches and alerts",
    "3": "order of events",
    "4": "request",
    "5": "credentials",
    "6": "format of events",
    "7": "errors",
    "8": "size limits",
    "9": "versions",
  },
  "conversation-api": {
    "1": "purpose",
    "2.1": "conversation, legacy interface",
    "2.2": "question, legacy interface",
    "2.3": "statistics, legacy interface",
    "2.4": "messages, current interface",
    "3.1": "statuses, legacy interface",
    "3.2": "states, current interface",
    "4.1": "operations, legacy interface",
    "4.2": "operations, current interface",
    "5": "credentials",
    "6": "completion",
    "7": "errors",
    "8": "size limits and quotas",
    "9": "versions",
  },
} as const satisfies Record<SpecificationName, Readonly<Record<string, string>>>;

/** Both specifications with their requirements. */
export const specifications = (): readonly ListedSpecification[] =>
  names.map((name) => ({
    name,
    title: titles[name],
    sectionTitles: sectionTitles[name],
    requirements: allRequirements.filter(({ specification }) => specification === name),
  }));

/** What no rule can judge, in requirements. */
export const outsideOfRules = [
  "whether the results are those that a query asks for, and how they are ranked",
  "whether counts are right",
  "how soon the first result arrives, unless a load has a threshold for it",
  "whether an answer is true, or whether a question is ever answered: the specification promises no time",
  "versions of HTTP other than 1.1 and, with `--http 2`, HTTP/2; over https the k6 of a load uses what the instance prefers",
] as const;

const interfaces = {
  stream: "Streaming search",
  legacy: "Conversations, legacy interface",
  current: "Conversations, current interface",
  migration: "Both interfaces of a conversation",
} as const;

/** The behaviour register by interface. */
export const unspecifiedChapters = (): readonly UnspecifiedChapter[] =>
  Object.entries(interfaces).map(([name, title]) => ({
    title,
    unspecified: unspecifiedBehaviour.filter(({ id }) => id.startsWith(`${name}/`)),
  }));

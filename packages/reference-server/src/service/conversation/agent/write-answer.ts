import { counted } from "@assay/contract";
import type { Source } from "../conversation-record.ts";
import type { InvestigationResult } from "./investigate.ts";
import { plainQuestion } from "./question-terms.ts";
import type { Passage } from "./read-passages.ts";
import type { Repository } from "../../repositories/repository.ts";

/** Encodes a path for a link in Markdown. Also escapes the characters that would end the link. */
const encodeLinkPath = (path: string): string =>
  path
    .split("/")
    .map((part) =>
      encodeURIComponent(part).replace(
        /[()'!*]/gu,
        (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
      ),
    )
    .join("/");

/** Returns the path of the page of a repository. */
const createRepositoryLink = ({ name }: Repository): string => `/${encodeLinkPath(name)}`;

/** Returns the path of a line in a file. Line numbers start at 1. */
const createLineLink = (repository: Repository, path: string, line: number): string =>
  `${createRepositoryLink(repository)}${repository.commit === undefined ? "" : `@${repository.commit}`}/-/blob/${encodeLinkPath(path)}?L${line}`;

const maxTitleCharacters = 90;
const maxExcerptCharacters = 120;

/** The answer to a question. */
export interface WrittenAnswer {
  readonly title: string;
  /** Markdown. */
  readonly answer: string;
  readonly sources: readonly Source[];
  readonly followups: readonly string[];
}

/** Converts a question to a title: one line, cut between words. */
export const createTitle = (question: string): string => {
  const characters = Array.from(
    plainQuestion(question)
      .slice(0, 4 * maxTitleCharacters)
      .replace(/[\s?.!]+$/u, ""),
  );
  const shortenedTitle = characters.slice(0, maxTitleCharacters).join("");
  if (characters.length <= maxTitleCharacters) {
    return shortenedTitle === "" ? "Untitled question" : shortenedTitle;
  }
  const space = shortenedTitle.lastIndexOf(" ");
  return `${space > 0 ? shortenedTitle.slice(0, space) : shortenedTitle}…`;
};

/** Formats inline code in Markdown. The text may contain backticks. */
const formatCode = (text: string): string => {
  const line = text.replace(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, " ").trim();
  const excerpt = Array.from(line.slice(0, 2 * maxExcerptCharacters))
    .slice(0, maxExcerptCharacters)
    .join("");
  const longestFence = Math.max(0, ...[...excerpt.matchAll(/`+/gu)].map(([ticks]) => ticks.length));
  const fence = "`".repeat(longestFence + 1);
  const space = longestFence > 0 ? " " : "";
  return `${fence}${space}${excerpt}${space}${fence}`;
};

/** Formats link text in Markdown. The path may contain any character. */
const formatLinkText = (text: string): string =>
  text.replace(/[\p{Cc}\p{Cf}]+/gu, " ").replace(/[\\[\]`*_<>]/gu, String.raw`\$&`);

const formatPassage = ({ line, path, repository, text }: Passage): string =>
  `- [${formatLinkText(path)} line ${line}](${createLineLink(repository, path, line)}): ${formatCode(text)}`;

const formatSection = (heading: string, passages: readonly Passage[]): readonly string[] =>
  passages.length === 0 ? [] : [`## ${heading}`, passages.map(formatPassage).join("\n")];

const writeSummary = ({ files, terms }: InvestigationResult): string => {
  const names = terms.map(({ text }) => formatCode(text)).join(", ");
  if (terms.length === 0) {
    return "The question contains no search term. Mention a function, a file or a word in the code.";
  }
  if (files.length === 0) {
    return `Nothing in the searched repositories contains ${names}.`;
  }
  const repositories = new Set(files.map(({ repository }) => repository));
  const placeClause = repositories.size === 1 ? `in one repository` : `in ${repositories.size} repositories`;
  return `Looked for ${names} and found ${counted(files.length, "file")} ${placeClause}.`;
};

const listSources = ({ passages }: InvestigationResult): readonly Source[] =>
  [...new Set(passages.map(({ repository }) => repository))].map((repository) => ({
    type: "Repository",
    link: createRepositoryLink(repository),
    label: repository.name,
  }));

const suggestFollowups = ({ files, terms }: InvestigationResult): readonly string[] => {
  const [term] = terms;
  if (term === undefined) {
    return ["Which files are in this repository?"];
  }
  const [first, second] = files;
  return [
    `Which tests mention ${term.text}?`,
    ...(first === undefined ? [] : [`What else is in ${first.path}?`]),
    ...(second === undefined ? [] : [`How is ${second.path} related to ${term.text}?`]),
  ];
};

/** Writes the answer. Every link points to a line with one of the terms. */
export const writeAnswer = (question: string, findings: InvestigationResult): WrittenAnswer => {
  const { passages } = findings;
  const definitions = passages.filter(({ isDefinition }) => isDefinition);
  const uses = passages.filter(({ isDefinition }) => !isDefinition);
  const answer = [
    writeSummary(findings),
    ...formatSection("Where it is defined", definitions),
    ...formatSection(definitions.length > 0 ? "Where it is used" : "Where it is found", uses),
  ].join("\n\n");
  return {
    title: createTitle(question),
    answer,
    sources: listSources(findings),
    followups: suggestFollowups(findings),
  };
};

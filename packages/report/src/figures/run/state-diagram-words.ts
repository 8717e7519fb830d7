import type { StateDiagram, StateEdge } from "@assay/results";
import { counted } from "../../document/counted.ts";
import type { TableContent } from "../../printers/html/data-table.tsx";
import { shownText } from "../../document/shown-text.ts";
import type { DiagramLayout } from "./diagram-layout.ts";

/** What the states of an interface are those of. */
const subjects: Readonly<Record<string, string>> = {
  legacy: "a legacy question",
  current: "a conversation of the current interface",
};
const headings: Readonly<Record<string, string>> = {
  legacy: "legacy interface: status of a question",
  current: "current interface: state of a conversation",
};

const wordsFor = (words: typeof subjects, { interface: name }: StateDiagram): string =>
  (Object.hasOwn(words, name) ? words[name] : undefined) ?? `interface ${shownText(name, "name")}`;

/** What people see first. */
export const diagramTitle = (diagram: StateDiagram): string =>
  `States of ${wordsFor(subjects, diagram)}: observed against allowed steps`;

/** Which machine it is, within the drawing. */
export const diagramHeading = (diagram: StateDiagram): string => wordsFor(headings, diagram);

/** How to read the lines, and which there are none of. */
export function diagramCaption({ states }: DiagramLayout): string {
  const sentences = [
    "Line width: number of questions. Double border: final state.",
    states.every(({ listed }) => listed)
      ? ""
      : "A broken border marks a state that no specification lists; steps from and to it stand in the table alone.",
    states.every(({ begun }) => begun === 0)
      ? ""
      : "An arrow from below: the request that asked a question was answered with the question in this state, which is not allowed.",
    "Polls that overlap have no order, so a step counts only where one poll was answered before the next was sent.",
  ];
  return sentences.filter((sentence) => sentence !== "").join(" ");
}

/** States and how many questions were in each. */
const listOf = (states: readonly { readonly state: string; readonly seen: number }[]): string =>
  states
    .slice(0, 8)
    .map(({ state, seen }) => `${shownText(state, "name")} (${counted(seen, "question")})`)
    .join(", ");

/** The figure for people who do not see it: what was seen, and all that speaks against the target. */
export function diagramDescription({ edges, states, beginnings = [] }: StateDiagram): string {
  const allowed = edges.filter(({ standing }) => standing === "allowed");
  const forbidden = edges.filter(({ standing }) => standing === "not-allowed");
  const steps = forbidden.slice(0, 8).map(({ from, to }) => `${shownText(from, "name")} to ${shownText(to, "name")}`);
  const unlisted = states.filter(({ listed }) => !listed);
  const sentences = [
    `${counted(allowed.filter(({ seen }) => seen > 0).length, "allowed step")} of ${allowed.length} seen.`,
    steps.length === 0
      ? "No step between listed states that is not allowed was seen."
      : `Not allowed, but seen: ${steps.join(", ")}.`,
    beginnings.length === 0 ? "" : `Not allowed as a beginning, but seen: ${listOf(beginnings)}.`,
    unlisted.length === 0 ? "" : `States that no specification lists: ${listOf(unlisted)}.`,
  ];
  return sentences.filter((sentence) => sentence !== "").join(" ");
}

/** Whether a step leads from or to a state that no specification lists: nothing is said of such a step, for the state is not there. */
export const isUnlisted = ({ from, to }: StateEdge, states: StateDiagram["states"]): boolean =>
  states.some(({ state, listed }) => !listed && (state === from || state === to));

const standingWords = {
  allowed: "allowed",
  "not-allowed": "not allowed",
  unstated: "not stated by the specifications",
} as const;

/** All steps with their numbers, after the beginnings that are not allowed. */
export const diagramTable = (diagram: StateDiagram): TableContent => ({
  caption: `State transitions of ${wordsFor(subjects, diagram)}`,
  head: ["From", "To", "Documents", "Questions that took it"],
  rows: [
    ...(diagram.beginnings ?? [])
      .slice(0, 20)
      .map(({ state, seen }) => ["(when asked)", shownText(state, "name"), standingWords["not-allowed"], String(seen)]),
    ...diagram.edges
      .slice(0, 100)
      .map((edge) => [
        shownText(edge.from, "name"),
        shownText(edge.to, "name"),
        edge.standing === "unstated" && isUnlisted(edge, diagram.states)
          ? "a state that no specification lists"
          : standingWords[edge.standing],
        String(edge.seen),
      ]),
  ],
});

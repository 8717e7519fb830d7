import type { StateDiagram, StateEdge } from "@assay/results";
import { counted } from "./counted.ts";
import { type Piece, type Section, createTableBlock, paragraph } from "./document.ts";
import { verdictWords } from "./outcome-words.ts";

const subjects: Readonly<Record<string, string>> = {
  legacy: "a legacy question",
  current: "a conversation of the current interface",
};

const getDiagramSubject = ({ interface: name }: StateDiagram): string =>
  (Object.hasOwn(subjects, name) ? subjects[name] : undefined) ?? `interface ${name}`;

/** Reports whether a transition is from or to a state that no specification lists. */
export const hasUnlistedState = ({ from, to }: StateEdge, states: StateDiagram["states"]): boolean =>
  states.some(({ state, listed }) => !listed && (state === from || state === to));

/** Reports whether a diagram contains a transition or first state that is not allowed. */
export const hasForbiddenTransition = ({ beginnings = [], edges }: StateDiagram): boolean =>
  beginnings.length > 0 || edges.some(({ standing, seen }) => standing === "not-allowed" && seen > 0);

const { passed, failed } = verdictWords;

const describeStanding = ({ standing, seen, ...edge }: StateEdge, { states }: StateDiagram): string => {
  switch (standing) {
    case "allowed":
      return seen > 0 ? `${passed.sign} allowed` : "allowed, not seen";
    case "not-allowed":
      return `${failed.sign} not allowed`;
    case "unstated":
      return hasUnlistedState({ standing, seen, ...edge }, states)
        ? "a state that no specification lists"
        : "not stated by the specifications";
  }
};

const maxStates = 24;

const describeState = ({ seen, terminal, listed }: StateDiagram["states"][number]): string =>
  [
    seen === 0 ? "not seen" : counted(seen, "question"),
    ...(terminal ? ["final"] : []),
    ...(listed ? [] : ["not listed by the specifications"]),
  ].join(", ");

/** Lists the states, with the number of questions observed in each. */
const formatStates = ({ states }: StateDiagram): readonly Piece[] => [
  "States: ",
  ...states
    .slice(0, maxStates)
    .flatMap((state, index): readonly Piece[] => [
      ...(index === 0 ? [] : [", "]),
      { name: state.state },
      ` (${describeState(state)})`,
    ]),
  states.length > maxStates ? `, and ${states.length - maxStates} more` : "",
];

const maxFirstStates = 20;
const maxTransitions = 100;

/** Lists the transitions of one interface with their counts: those that the specifications allow, and those that were observed. */
export const createTransitionsSection = (diagram: StateDiagram): Section => {
  const { beginnings = [], edges } = diagram;
  const allowed = edges.filter(({ standing }) => standing === "allowed");
  const observed = allowed.filter((edge) => edge.seen > 0);
  const rows = [
    ...beginnings
      .slice(0, maxFirstStates)
      .map(({ state, seen: count }) => ["(first state)", state, `${failed.sign} not allowed`, String(count)]),
    ...edges
      .slice(0, maxTransitions)
      .map((edge) => [edge.from, edge.to, describeStanding(edge, diagram), String(edge.seen)]),
  ];
  return {
    blocks: [
      paragraph(formatStates(diagram)),
      ...createTableBlock({
        caption: `State transitions of ${getDiagramSubject(diagram)}: ${observed.length} of ${counted(allowed.length, "allowed transition")} seen`,
        head: ["from", "to", "specifications", "questions"],
        rows,
      }),
      paragraph(
        "Polls that overlap have no order: a transition counts only if one poll was answered before the next was sent.",
        {
          isFaint: true,
        },
      ),
    ],
  };
};

import type { StateDiagram, StateEdge } from "@assay/results";
import { counted } from "../../document/counted.ts";
import { isUnlisted } from "../../document/state-transitions.ts";
import { markdownDetails } from "./markdown-parts.ts";

const maxTransitions = 40;

/** Returns names of states in a diagram: listed states by name, others by number, because their text comes from the target. */
const namesOf = ({ states }: StateDiagram): ReadonlyMap<string, string> =>
  new Map(
    states.map(({ state, listed }, index) => [
      state,
      listed && /^[a-z][a-z_-]{0,39}$/iu.test(state) ? state.replaceAll("-", "_") : `unlisted_${index + 1}`,
    ]),
  );

const words = { allowed: "", "not-allowed": " not allowed", unstated: " not stated" } as const;

/** Labels transitions. Those from or to unlisted states need no label, because the name of the state shows it. */
const wordsOf = ({ standing, ...edge }: StateEdge, { states }: StateDiagram): string =>
  standing === "unstated" && isUnlisted({ standing, ...edge }, states) ? "" : words[standing];

const diagramLines = (diagram: StateDiagram): readonly string[] => {
  const names = namesOf(diagram);
  const began = (diagram.beginnings ?? []).flatMap(({ state, seen: count }) => {
    const goal = names.get(state);
    return goal === undefined ? [] : [`  [*] --> ${goal} : ${counted(count, "time")}${words["not-allowed"]}`];
  });
  const seen = diagram.edges.filter((edge) => edge.seen > 0).slice(0, maxTransitions);
  const steps = seen.flatMap((edge) => {
    const [source, goal] = [names.get(edge.from), names.get(edge.to)];
    return source === undefined || goal === undefined
      ? []
      : [`  ${source} --> ${goal} : ${counted(edge.seen, "time")}${wordsOf(edge, diagram)}`];
  });
  const lines = [...began, ...steps];
  return lines.length === 0
    ? []
    : [
        `States of questions, interface ${diagram.interface}:`,
        "",
        "```mermaid",
        "stateDiagram-v2",
        ...lines,
        "```",
        "",
      ];
};

/** Formats observed transitions as Mermaid diagrams, which GitHub and GitLab draw. Contains no text of a target. Empty if there are none. */
export const stateDiagramMarkdown = (diagrams: readonly StateDiagram[]): readonly string[] =>
  markdownDetails("Transitions seen", diagrams.flatMap(diagramLines));

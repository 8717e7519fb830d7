import type { StateDiagram, StateEdge } from "@assay/results";
import { counted } from "../../document/counted.ts";
import { hasUnlistedState } from "../../document/state-transitions.ts";
import { markdownDetails } from "./markdown-parts.ts";

const maxTransitions = 40;

/** Returns names of states in a diagram: listed states by name, others by number, because their text comes from the target. */
const listStateNames = ({ states }: StateDiagram): ReadonlyMap<string, string> =>
  new Map(
    states.map(({ state, listed }, index) => [
      state,
      listed && /^[a-z][a-z_-]{0,39}$/iu.test(state) ? state.replaceAll("-", "_") : `unlisted_${index + 1}`,
    ]),
  );

const standingLabels = { allowed: "", "not-allowed": " not allowed", unstated: " not stated" } as const;

/** Labels transitions. Those from or to unlisted states need no label, because the name of the state shows it. */
const getEdgeLabel = ({ standing, ...edge }: StateEdge, { states }: StateDiagram): string =>
  standing === "unstated" && hasUnlistedState({ standing, ...edge }, states) ? "" : standingLabels[standing];

const renderDiagramLines = (diagram: StateDiagram): readonly string[] => {
  const names = listStateNames(diagram);
  const firstStateLines = (diagram.beginnings ?? []).flatMap(({ state, seen: count }) => {
    const name = names.get(state);
    return name === undefined ? [] : [`  [*] --> ${name} : ${counted(count, "time")}${standingLabels["not-allowed"]}`];
  });
  const observedEdges = diagram.edges.filter((edge) => edge.seen > 0).slice(0, maxTransitions);
  const edgeLines = observedEdges.flatMap((edge) => {
    const [source, target] = [names.get(edge.from), names.get(edge.to)];
    return source === undefined || target === undefined
      ? []
      : [`  ${source} --> ${target} : ${counted(edge.seen, "time")}${getEdgeLabel(edge, diagram)}`];
  });
  const lines = [...firstStateLines, ...edgeLines];
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
export const renderStateDiagramMarkdown = (diagrams: readonly StateDiagram[]): readonly string[] =>
  markdownDetails("Transitions seen", diagrams.flatMap(renderDiagramLines));

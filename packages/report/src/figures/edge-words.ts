import type { StateDiagram, StateEdge } from "@assay/results";

/** A step as it is drawn. */
export interface DrawnEdge extends StateEdge {
  /** Whether it leads from or to a state that no document lists: nothing is said of such a step, for the state is not there. */
  readonly isUnlisted: boolean;
}

/** Whether a step leads from or to a state that no document lists. */
export const isUnlisted = ({ from, to }: StateEdge, states: StateDiagram["states"]): boolean =>
  states.some(({ state, listed }) => !listed && (state === from || state === to));

/** Whether all that can be said of a step is that it leads from or to a state that no document lists. */
export const isOutside = ({ standing, isUnlisted: isBeyond }: DrawnEdge): boolean =>
  standing === "unstated" && isBeyond;

/** What stands beside the line of a step: how often it was taken, and of one that the documents do not list that they do not. */
export function edgeLabel(edge: DrawnEdge): string {
  const { standing, seen } = edge;
  switch (standing) {
    case "allowed":
      return seen > 0 ? String(seen) : "not seen";
    case "not-allowed":
      return `✗ not allowed: ${seen}`;
    case "unstated":
      return isOutside(edge) ? `not listed: ${seen}` : seen > 0 ? `not stated: ${seen}` : "not stated, not seen";
  }
}

/** The same where there is little room: the number, with the sign of what is not allowed. */
export const shortEdgeLabel = ({ standing, seen }: StateEdge): string =>
  standing === "not-allowed" ? `✗ ${seen}` : String(seen);

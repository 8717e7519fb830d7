import type { StateEdge } from "@assay/results";

/** What stands beside the line of a step: how often it was taken, and of one that the documents do not list that they do not. */
export function edgeLabel({ standing, seen }: StateEdge): string {
  switch (standing) {
    case "allowed":
      return seen > 0 ? String(seen) : "not seen";
    case "not-allowed":
      return `✗ not allowed: ${seen}`;
    case "unstated":
      return seen > 0 ? `not stated: ${seen}` : "not stated, not seen";
  }
}

/** The same where there is little room: the number, with the sign of what is not allowed. */
export const shortEdgeLabel = ({ standing, seen }: StateEdge): string =>
  standing === "not-allowed" ? `✗ ${seen}` : String(seen);

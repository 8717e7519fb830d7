import type { JSX } from "preact";
import { palette } from "../html/palette.ts";
import { polygonPath } from "../load-figures/shapes.ts";
import { StraightLine } from "../load-figures/straight-line.tsx";
import { px } from "../load-figures/svg-number.ts";
import { beginningHeight, firstState } from "./diagram-layout.ts";
import type { DiagramLayout, PlacedState } from "./diagram-layout.ts";
import { paperEdge } from "./diagram-edge.tsx";
import { stateBox } from "./edge-curve.ts";

/** Where every question begins: an arrow out of nothing into the first state of the documents. */
const FirstBeginning = ({ state }: { readonly state: PlacedState }): JSX.Element => {
  const right = state.x - stateBox.x - 5;
  return (
    <g>
      <title>A new question</title>
      <circle cx={px(right - 58)} cy={px(state.y)} r="5" fill={palette.muted} />
      <StraightLine from={[right - 53, state.y]} to={[right - 8, state.y]} stroke={palette.muted} stroke-width="1.8" />
      <path
        d={polygonPath([
          [right, state.y],
          [right - 10, state.y - 5],
          [right - 10, state.y + 5],
        ])}
        fill={palette.muted}
      />
      <text x={px(right - 58)} y={px(state.y - 12)} text-anchor="middle" font-size="11" fill="currentColor">
        asked
      </text>
    </g>
  );
};

/** A beginning that the documents do not allow: an arrow from below, with how many questions began so. */
const ForbiddenBeginning = ({ state: { x, y, begun } }: { readonly state: PlacedState }): JSX.Element => {
  const tip = y + stateBox.y + 3;
  const bottom = y + stateBox.y + beginningHeight - 8;
  return (
    <g>
      <StraightLine from={[x, bottom]} to={[x, tip + 8]} stroke={palette.bad} stroke-width="1.8" />
      <circle cx={px(x)} cy={px(bottom)} r="5" fill={palette.bad} />
      <path
        d={polygonPath([
          [x, tip],
          [x - 5, tip + 10],
          [x + 5, tip + 10],
        ])}
        fill={palette.bad}
      />
      <text x={px(x + 12)} y={px(bottom + 3)} font-size="12" font-weight="700" {...paperEdge} fill="currentColor">
        {`✗ asked: ${begun}`}
      </text>
    </g>
  );
};

/** How questions begin, and how some did although the documents do not allow it. */
export const Beginnings = ({ states }: Pick<DiagramLayout, "states">): JSX.Element => {
  const first = states.find(({ state }) => state === firstState);
  return (
    <>
      {first === undefined ? null : <FirstBeginning state={first} />}
      {states
        .filter(({ begun }) => begun > 0)
        .map((state) => (
          <ForbiddenBeginning state={state} />
        ))}
    </>
  );
};

import type { JSX } from "preact";
import { counted } from "../counted.ts";
import { palette } from "../html/palette.ts";
import { px } from "../load-figures/svg-number.ts";
import { shownText } from "../shown-text.ts";
import type { PlacedState } from "./diagram-layout.ts";
import { stateBox } from "./edge-curve.ts";
import { stateMark } from "./state-marks.tsx";
import { cutToWidth } from "./text-width.ts";

const wordsOf = ({ seen, listed }: PlacedState): string => {
  const times = seen === 0 ? "not seen" : counted(seen, "question");
  return listed ? times : `not listed: ${seen}`;
};

/** A state: its name and how many questions were in it. An end has a second border; what no document lists a broken one. */
export const DiagramState = ({ state }: { readonly state: PlacedState }): JSX.Element => {
  const { x, y, seen, listed, terminal } = state;
  const colour = listed ? stateMark(state.state).colour : palette.unknown;
  const name = shownText(state.state, "name");
  return (
    <g fill="currentColor" text-anchor="middle">
      <title>{`${name}: ${wordsOf(state)}${terminal ? "; an end" : ""}`}</title>
      <rect
        x={px(x - stateBox.x)}
        y={px(y - stateBox.y)}
        width={2 * stateBox.x}
        height={2 * stateBox.y}
        rx="9"
        fill={colour}
        fill-opacity={seen > 0 ? 0.16 : 0.04}
        stroke={colour}
        stroke-width="1.8"
        {...(listed ? {} : { "stroke-dasharray": "5 4" })}
      />
      {terminal ? (
        <rect
          x={px(x - stateBox.x + 4)}
          y={px(y - stateBox.y + 4)}
          width={2 * stateBox.x - 8}
          height={2 * stateBox.y - 8}
          rx="6"
          fill="none"
          stroke={colour}
        />
      ) : null}
      <text x={px(x)} y={px(y - 2)} font-size="14" font-weight="650">
        {cutToWidth(name, 2 * stateBox.x - 16, 14)}
      </text>
      <text x={px(x)} y={px(y + 13)} font-size="11" fill-opacity="0.85">
        {wordsOf(state)}
      </text>
    </g>
  );
};

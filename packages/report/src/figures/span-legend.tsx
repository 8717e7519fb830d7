import type { JSX } from "preact";
import { palette } from "../html/palette.ts";
import { px } from "../load-figures/svg-number.ts";
import { lanesPlot } from "./lanes-layout.ts";
import { spanShape } from "./span-mark.tsx";

/** Room that the legend takes. */
export const spanLegendHeight = 24;

const kinds = [
  { isCertain: true, words: "certainly there", offset: 0 },
  { isCertain: false, words: "seen at some moment in it, not certain throughout", offset: 150 },
] as const;

/** Which marks are certain, and which are not. */
export const SpanLegend = ({ top }: { readonly top: number }): JSX.Element => (
  <g font-size="12" fill="currentColor">
    {kinds.map(({ isCertain, words, offset }) => {
      const left = lanesPlot.left + offset;
      return (
        <g>
          <rect
            x={left}
            width="30"
            {...spanShape(isCertain, top)}
            stroke={palette.muted}
            fill={isCertain ? palette.muted : "none"}
          />
          <text x={left + 38} y={px(top + 12)}>
            {words}
          </text>
        </g>
      );
    })}
  </g>
);

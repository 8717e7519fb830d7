import type { JSX } from "preact";
import { px } from "../load-figures/svg-number.ts";
import type { WaterfallLayout } from "./waterfall-layout.ts";
import { waterfall } from "./waterfall-layout.ts";
import { StraightLine } from "../load-figures/straight-line.tsx";

/** What was reached when: a line down through all lanes, and its name where no other stands in the way. */
export const MilestoneMarks = ({ layout }: { readonly layout: WaterfallLayout }): JSX.Element => (
  <g font-size={waterfall.labelSize}>
    {layout.milestones.map(({ text, x, row }) => {
      const top = layout.labelsBottom - (row + 1) * waterfall.labelHeight;
      return (
        <g>
          <StraightLine
            from={[x, top + 2]}
            to={[x, layout.bottom]}
            stroke="currentColor"
            stroke-opacity="0.45"
            stroke-dasharray="3 3"
          />
          <text x={px(x + 4)} y={px(top + 11)} data-zoom-at={px(x)} fill="currentColor">
            {text}
          </text>
        </g>
      );
    })}
  </g>
);

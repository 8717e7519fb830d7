import type { StreamTimeline } from "@assay/results";
import type { JSX } from "preact";
import { durationOf } from "../counted.ts";
import { palette } from "../html/palette.ts";
import { px } from "../load-figures/svg-number.ts";
import { textWidth } from "./text-width.ts";
import type { WaterfallLayout } from "./waterfall-layout.ts";

const size = 13;

/** The time in which nothing arrived of a stream that was held back. */
export const Silence = ({
  timeline: { buffered, firstByteMicros, connectedMicros = 0 },
  layout: { scale, phaseTop, lanes, labelsBottom },
}: {
  readonly timeline: StreamTimeline;
  readonly layout: WaterfallLayout;
}): JSX.Element | null => {
  if (buffered === undefined || firstByteMicros === undefined || firstByteMicros <= connectedMicros) {
    return null;
  }
  const left = scale.x(connectedMicros);
  const width = scale.x(firstByteMicros) - left;
  const bottom = lanes.at(-1)?.base ?? phaseTop;
  // Between two lines, not on one.
  const middle = lanes[Math.floor(lanes.length / 2)];
  const words = `nothing arrived for ${durationOf(firstByteMicros - connectedMicros)}`;
  return (
    <g>
      <rect
        x={px(left)}
        y={px(labelsBottom)}
        width={px(width)}
        height={px(bottom - labelsBottom)}
        fill={palette.bad}
        fill-opacity="0.09"
      />
      {width < textWidth(words, size) + 10 ? null : (
        <text
          x={px(left + width / 2)}
          y={px((middle?.base ?? bottom) - 9)}
          text-anchor="middle"
          font-size={size}
          font-weight="600"
          fill="currentColor"
        >
          {words}
        </text>
      )}
    </g>
  );
};

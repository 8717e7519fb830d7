import type { StreamTimeline } from "@assay/results";
import type { JSX } from "preact";
import { formatDuration } from "../../document/counted.ts";
import { palette } from "../../printers/html/palette.ts";
import { drawLinePath } from "../shapes.ts";
import { px } from "../svg-number.ts";
import type { TimeScale } from "./time-scale.ts";
import type { WaterfallLayout } from "./waterfall-layout.ts";
import { waterfall } from "./waterfall-layout.ts";

interface BracketProps {
  readonly scale: TimeScale;
  readonly fromMicros: number;
  readonly toMicros: number;
  readonly base: number;
  readonly colour: string;
  readonly tooltip: string;
}

const Bracket = ({ scale, fromMicros, toMicros, base, colour, tooltip }: BracketProps): JSX.Element => {
  const left = scale.x(fromMicros);
  const right = Math.max(left + 2, scale.x(toMicros));
  // A bracket that extends beyond the plot has no end mark.
  const isCut = toMicros > scale.endMicros;
  return (
    <path
      d={drawLinePath([
        [left, base - 10],
        [left, base],
        [right, base],
        ...(isCut ? [] : [[right, base - 10] as const]),
      ])}
      fill="none"
      stroke={colour}
      stroke-width="2"
    >
      <title>{tooltip}</title>
    </path>
  );
};

/** Draws the duration of the search by the target's clock and by ours. Both begin with the connection. */
export const ClockBrackets = ({
  timeline,
  layout: { scale, brackets },
}: {
  readonly timeline: StreamTimeline;
  readonly layout: WaterfallLayout;
}): JSX.Element | null => {
  const { serverDurationMs } = timeline;
  if (brackets === undefined || serverDurationMs === undefined) {
    return null;
  }
  const { fromMicros, toMicros } = measureOurDuration(timeline);
  return (
    <g>
      <Bracket
        scale={scale}
        fromMicros={fromMicros}
        toMicros={fromMicros + 1000 * serverDurationMs}
        base={brackets.targetClock}
        colour={palette.second}
        tooltip={`the target's own clock: ${formatDuration(1000 * serverDurationMs)}`}
      />
      <Bracket
        scale={scale}
        fromMicros={fromMicros}
        toMicros={toMicros}
        base={brackets.ourClock}
        colour={palette.muted}
        tooltip={`our clock: ${formatDuration(toMicros - fromMicros)}`}
      />
    </g>
  );
};

/** Returns the time from the connection to the final `progress` event, or to the end of a stream without one. */
export const measureOurDuration = ({ connectedMicros = 0, finalProgressMicros, endedMicros }: StreamTimeline) => ({
  fromMicros: connectedMicros,
  toMicros: Math.max(connectedMicros, finalProgressMicros ?? endedMicros),
});

/** Names and durations of the two brackets. */
export const BracketNames = ({
  timeline,
  layout: { brackets },
}: {
  readonly timeline: StreamTimeline;
  readonly layout: WaterfallLayout;
}): JSX.Element | null => {
  const { serverDurationMs } = timeline;
  if (brackets === undefined || serverDurationMs === undefined) {
    return null;
  }
  const { fromMicros, toMicros } = measureOurDuration(timeline);
  const rows = [
    { name: "target's clock", base: brackets.targetClock, micros: 1000 * serverDurationMs },
    { name: "our clock", base: brackets.ourClock, micros: toMicros - fromMicros },
  ];
  return (
    <g fill="currentColor">
      {rows.map(({ name, base, micros }) => (
        <g>
          <text x={waterfall.left - 10} y={px(base - 1)} text-anchor="end" font-size="12">
            {name}
          </text>
          <text x={waterfall.right + 10} y={px(base - 1)} font-size="11" fill-opacity="0.8">
            {`search took ${formatDuration(micros)}`}
          </text>
        </g>
      ))}
    </g>
  );
};

import type { StreamTimeline } from "@assay/results";
import type { JSX } from "preact";
import { formatDuration } from "../../document/counted.ts";
import { palette } from "../../printers/html/palette.ts";
import { px } from "../svg-number.ts";
import { measureTextWidth } from "../text-width.ts";
import type { TimeScale } from "./time-scale.ts";
import { waterfall } from "./waterfall-layout.ts";

interface PhaseBarProps {
  readonly timeline: StreamTimeline;
  readonly scale: TimeScale;
  readonly top: number;
}

interface Phase {
  readonly name: string;
  readonly fromMicros: number;
  readonly toMicros: number;
  readonly colour: string;
  readonly opacity: number;
}

const barHeight = 16;
const nameSize = 11;

/** Returns the phases of a stream in order. Time of unknown use belongs to the next phase. */
export function listStreamPhases({
  connectedMicros,
  headersMicros,
  firstByteMicros,
  endedMicros,
}: StreamTimeline): readonly Phase[] {
  const connected = connectedMicros ?? 0;
  const head = Math.max(connected, headersMicros ?? firstByteMicros ?? endedMicros);
  const phases: readonly Phase[] = [
    { name: "connect", fromMicros: 0, toMicros: connected, colour: palette.fourth, opacity: 0.55 },
    { name: "wait for the head", fromMicros: connected, toMicros: head, colour: palette.muted, opacity: 0.3 },
    { name: "body", fromMicros: head, toMicros: Math.max(head, endedMicros), colour: palette.accent, opacity: 0.3 },
  ];
  return phases.filter(({ fromMicros, toMicros }) => toMicros > fromMicros);
}

/** Shows connection, wait and body as one bar. Wide phases show their names. */
export const PhaseBar = ({ timeline, scale, top }: PhaseBarProps): JSX.Element => (
  <g>
    {listStreamPhases(timeline).map(({ name, fromMicros, toMicros, colour, opacity }) => {
      const left = scale.x(fromMicros);
      const width = Math.max(1, scale.x(toMicros) - left);
      const hasName = width > measureTextWidth(name, nameSize) + 8;
      return (
        <g>
          <rect
            class="fig-hover"
            x={px(left)}
            y={px(top)}
            width={px(width)}
            height={barHeight}
            fill={colour}
            fill-opacity={opacity}
          >
            <title>{`${name}: ${formatDuration(fromMicros)} to ${formatDuration(toMicros)}`}</title>
          </rect>
          {hasName ? (
            <text x={px(left + 5)} y={px(top + 12)} data-zoom-at={px(left)} font-size={nameSize} fill="currentColor">
              {name}
            </text>
          ) : null}
        </g>
      );
    })}
  </g>
);

/** Name of the bar, and the time of the response head. */
export const PhaseNames = ({ timeline, top }: Omit<PhaseBarProps, "scale">): JSX.Element => (
  <g fill="currentColor">
    <text x={waterfall.left - 10} y={px(top + 12)} text-anchor="end" font-size="12">
      connection
    </text>
    {timeline.headersMicros === undefined ? null : (
      <text x={waterfall.right + 10} y={px(top + 12)} font-size="11" fill-opacity="0.8">
        {`head after ${formatDuration(timeline.headersMicros)}`}
      </text>
    )}
  </g>
);

import type { EventTick } from "@assay/results";
import type { JSX } from "preact";
import { counted, formatDuration, formatSize } from "../../document/counted.ts";
import { palette } from "../../printers/html/palette.ts";
import { px } from "../svg-number.ts";
import { escapeForDisplay } from "../../document/shown-text.ts";
import { cutToWidth } from "../text-width.ts";
import type { TimeScale } from "./time-scale.ts";
import { waterfall } from "./waterfall-layout.ts";
import type { PlacedLane } from "./waterfall-layout.ts";
import { StraightLine } from "../straight-line.tsx";

const colours: Readonly<Record<string, string>> = {
  matches: palette.accent,
  progress: palette.fourth,
  filters: palette.third,
  alert: palette.warn,
  error: palette.bad,
  done: palette.good,
};

/** Returns the colour of an event's marks. */
export const getEventColour = (event: string): string =>
  Object.hasOwn(colours, event) ? (colours[event] ?? palette.unknown) : palette.unknown;

const minWidth = 2;
const minHeight = 4;
const maxHeight = 21;
const nameSize = 12;

/** Name, base line and totals of a lane. */
export const LaneNames = ({ placedLane: { lane, base } }: { readonly placedLane: PlacedLane }): JSX.Element => {
  const name = escapeForDisplay(lane.event, "name");
  const bytes = lane.ticks.reduce((sum, tick) => sum + tick.bytes, 0);
  return (
    <g fill="currentColor">
      <StraightLine
        from={[waterfall.left, base]}
        to={[waterfall.right, base]}
        stroke={palette.grid}
        stroke-opacity="0.45"
      />
      <text x={waterfall.left - 10} y={px(base - 4)} text-anchor="end" font-size={nameSize}>
        <title>{name}</title>
        {cutToWidth(name, waterfall.left - 12, nameSize)}
      </text>
      <text x={waterfall.right + 10} y={px(base - 4)} font-size="11" fill-opacity="0.8">
        {`${counted(lane.events, "event")}, ${formatSize(bytes)}`}
      </text>
    </g>
  );
};

interface EventTicksProps {
  readonly placedLane: PlacedLane;
  readonly scale: TimeScale;
  /** Bytes of the largest mark of the figure, which has the maximum height. */
  readonly maxBytes: number;
}

/** Draws a mark for each event, or for several merged ones. Its width is the time they took to arrive, its height the logarithm of their bytes. */
export const EventTicks = ({ placedLane: { lane, base }, scale, maxBytes }: EventTicksProps): JSX.Element => (
  <g fill={getEventColour(lane.event)} fill-opacity="0.85">
    {lane.ticks.map((tick) => {
      const height = computeTickHeight(tick.bytes, maxBytes);
      const left = scale.x(tick.fromMicros);
      return (
        <rect
          class="fig-hover"
          x={px(left)}
          y={px(base - height)}
          width={px(Math.max(minWidth, scale.x(tick.toMicros) - left))}
          height={px(height)}
        >
          <title>{describeTick(lane.event, tick)}</title>
        </rect>
      );
    })}
  </g>
);

const computeTickHeight = (bytes: number, maxBytes: number): number =>
  minHeight + ((maxHeight - minHeight) * Math.log1p(Math.max(0, bytes))) / Math.log1p(Math.max(1, maxBytes));

function describeTick(event: string, { fromMicros, toMicros, bytes, events, matches }: EventTick): string {
  const endText = toMicros > fromMicros ? ` to ${formatDuration(toMicros)}` : "";
  const eventsText = events === 1 ? "" : `${counted(events, "event")}, `;
  const matchesText = matches === 0 ? "" : `, ${counted(matches, "match", "matches")}`;
  return `${escapeForDisplay(event, "name")}: ${eventsText}${formatSize(bytes)}${matchesText}, ${formatDuration(fromMicros)}${endText}`;
}

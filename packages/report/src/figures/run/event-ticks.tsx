import type { EventTick } from "@assay/results";
import type { JSX } from "preact";
import { counted, durationOf, sizeOf } from "../../document/counted.ts";
import { palette } from "../../printers/html/palette.ts";
import { px } from "../svg-number.ts";
import { shownText } from "../../document/shown-text.ts";
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

/** Colour of the marks of an event; its lane says its name. */
export const eventColour = (event: string): string =>
  Object.hasOwn(colours, event) ? (colours[event] ?? palette.unknown) : palette.unknown;

const leastWidth = 2;
const leastHeight = 4;
const mostHeight = 21;
const nameSize = 12;

/** Name of a lane, the line its marks stand on, and what they add up to. */
export const LaneNames = ({ placed: { lane, base } }: { readonly placed: PlacedLane }): JSX.Element => {
  const name = shownText(lane.event, "name");
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
        {`${counted(lane.events, "event")}, ${sizeOf(bytes)}`}
      </text>
    </g>
  );
};

interface EventTicksProps {
  readonly placed: PlacedLane;
  readonly scale: TimeScale;
  /** Bytes of the largest mark of the figure, which is as high as a lane allows. */
  readonly mostBytes: number;
}

/** A mark for each event, or for several that are drawn together: as wide as they took to arrive, as high as the logarithm of their bytes. */
export const EventTicks = ({ placed: { lane, base }, scale, mostBytes }: EventTicksProps): JSX.Element => (
  <g fill={eventColour(lane.event)} fill-opacity="0.85">
    {lane.ticks.map((tick) => {
      const height = heightOf(tick.bytes, mostBytes);
      const left = scale.x(tick.fromMicros);
      return (
        <rect
          class="fig-hover"
          x={px(left)}
          y={px(base - height)}
          width={px(Math.max(leastWidth, scale.x(tick.toMicros) - left))}
          height={px(height)}
        >
          <title>{tickWords(lane.event, tick)}</title>
        </rect>
      );
    })}
  </g>
);

const heightOf = (bytes: number, mostBytes: number): number =>
  leastHeight + ((mostHeight - leastHeight) * Math.log1p(Math.max(0, bytes))) / Math.log1p(Math.max(1, mostBytes));

function tickWords(event: string, { fromMicros, toMicros, bytes, events, matches }: EventTick): string {
  const until = toMicros > fromMicros ? ` to ${durationOf(toMicros)}` : "";
  const many = events === 1 ? "" : `${counted(events, "event")}, `;
  const found = matches === 0 ? "" : `, ${counted(matches, "match", "matches")}`;
  return `${shownText(event, "name")}: ${many}${sizeOf(bytes)}${found}, ${durationOf(fromMicros)}${until}`;
}

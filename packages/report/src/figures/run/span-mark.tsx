import type { JSX } from "preact";
import { px } from "../svg-number.ts";
import { lanesPlot } from "./lanes-layout.ts";
import type { LanesLayout, PlacedSpan } from "./lanes-layout.ts";
import { getSpanWords } from "./span-words.ts";
import { getStateFill, getStateMark } from "./state-marks.tsx";

/** Minimum widths; the inside of a frame must be visible. */
const minWidths = { bar: 4, frame: 6 } as const;

/** A bar is lower than a frame, so that both are visible if they overlap. */
const barInset = 2;

/** Returns the vertical shape: a bar is lower than the lane and a frame as high, so that they differ without colour. */
export const getSpanShape = (isCertain: boolean, top: number) =>
  isCertain
    ? { y: px(top + barInset), height: lanesPlot.barHeight - 2 * barInset, rx: 2 }
    : { y: px(top), height: lanesPlot.barHeight, rx: 3, "stroke-width": 1.5 };

interface SpanMarkProps {
  /** Id of the figure; the prefix of its patterns. */
  readonly id: string;
  readonly layout: Pick<LanesLayout, "scale" | "startMicros">;
  readonly barTop: number;
  readonly span: PlacedSpan;
}

/** A bar for a time in which a state is certain, an empty frame for a time within which it was seen. */
export const SpanMark = ({ id, layout: { scale, startMicros }, barTop, span }: SpanMarkProps): JSX.Element => {
  const left = scale.x(span.fromMicros - startMicros);
  const min = span.isCertain ? minWidths.bar : minWidths.frame;
  return (
    <rect
      class="fig-hover"
      x={px(left)}
      width={px(Math.max(min, scale.x(span.toMicros - startMicros) - left))}
      {...getSpanShape(span.isCertain, barTop)}
      // Transparent, but the pointer still hits it.
      fill={span.isCertain ? getStateFill(id, span.state) : "transparent"}
      stroke={getStateMark(span.state).colour}
    >
      <title>{getSpanWords(span, startMicros)}</title>
    </rect>
  );
};

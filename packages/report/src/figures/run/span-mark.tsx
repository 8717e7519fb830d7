import type { JSX } from "preact";
import { px } from "../svg-number.ts";
import { lanesPlot } from "./lanes-layout.ts";
import type { LanesLayout, PlacedSpan } from "./lanes-layout.ts";
import { spanWords } from "./span-words.ts";
import { stateFill, stateMark } from "./state-marks.tsx";

/** So wide that the space within a frame is seen. */
const leastWidth = { bar: 4, frame: 6 } as const;

/** A bar is lower than a frame, so that one within the other leaves both to be seen. */
const barInset = 2;

/** What tells the two kinds of spans apart whatever their colour: a bar lies within the lane, a frame is as high as it. */
export const spanShape = (isCertain: boolean, top: number) =>
  isCertain
    ? { y: px(top + barInset), height: lanesPlot.barHeight - 2 * barInset, rx: 2 }
    : { y: px(top), height: lanesPlot.barHeight, rx: 3, "stroke-width": 1.5 };

interface SpanMarkProps {
  /** Of the figure, whose patterns fill the bars. */
  readonly id: string;
  readonly layout: Pick<LanesLayout, "scale" | "startMicros">;
  readonly barTop: number;
  readonly span: PlacedSpan;
}

/** A bar where a state was certainly there; an empty frame where it was there at some moment in it. */
export const SpanMark = ({ id, layout: { scale, startMicros }, barTop, span }: SpanMarkProps): JSX.Element => {
  const left = scale.x(span.fromMicros - startMicros);
  const least = span.isCertain ? leastWidth.bar : leastWidth.frame;
  return (
    <rect
      class="fig-hover"
      x={px(left)}
      width={px(Math.max(least, scale.x(span.toMicros - startMicros) - left))}
      {...spanShape(span.isCertain, barTop)}
      // What is transparent is pointed at all the same.
      fill={span.isCertain ? stateFill(id, span.state) : "transparent"}
      stroke={stateMark(span.state).colour}
    >
      <title>{spanWords(span, startMicros)}</title>
    </rect>
  );
};

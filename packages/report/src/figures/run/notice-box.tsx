import type { JSX } from "preact";
import { palette } from "../../printers/html/palette.ts";
import { px } from "../svg-number.ts";
import { type Notice, waterfall } from "./waterfall-layout.ts";

const marks = {
  buffered: { colour: palette.bad, sign: "✗" },
  failure: { colour: palette.warn, sign: "!" },
} as const;

interface NoticeBoxProps {
  readonly notice: Notice;
  readonly left: number;
  readonly width: number;
}

/** A box above a plot with a sign, a heading and a sentence. */
export const NoticeBox = ({ notice, left, width }: NoticeBoxProps): JSX.Element => {
  const { kind, heading, lines, top, height } = notice;
  const { colour, sign } = marks[kind];
  return (
    <g fill="currentColor">
      <rect
        x={left}
        y={px(top)}
        width={width}
        height={px(height)}
        rx="5"
        fill={colour}
        fill-opacity="0.12"
        stroke={colour}
        stroke-opacity="0.7"
      />
      <rect x={left} y={px(top)} width="5" height={px(height)} rx="2" fill={colour} />
      <text x={left + 16} y={px(top + 18)} font-size="14" font-weight="700">
        {`${sign} ${heading}`}
      </text>
      {lines.map((line, index) => (
        <text x={left + 16} y={px(top + 20 + (index + 1) * waterfall.noticeLine - 2)} font-size="12">
          {line}
        </text>
      ))}
    </g>
  );
};

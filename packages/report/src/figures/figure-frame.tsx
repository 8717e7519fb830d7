import type { ComponentChildren, JSX } from "preact";
import { palette } from "../printers/html/palette.ts";
import { Scroll } from "../printers/html/page-section.tsx";
import { DataTable, type TableContent } from "../printers/html/data-table.tsx";

/** Width of every figure in its own coordinates; the minimum font size is 11. */
export const figureWidth = 960;

/** Width of a figure for a narrow page in its own coordinates. */
export const narrowWidth = 360;

export interface FigureFrameProps {
  /** Unique on the page; letters, digits and hyphens. */
  readonly id: string;
  readonly title: string;
  /** The content of the figure for screen readers. */
  readonly description: string;
  readonly height: number;
  readonly caption: string;
  /** Text across a figure whose values must not be used. The figure is then pale. */
  readonly stamp?: string | undefined;
  readonly isZoomable?: boolean;
  readonly table?: TableContent;
  /** The figure for a narrow page, shown instead of the wide one. */
  readonly narrow: { readonly height: number; readonly children: ComponentChildren };
  readonly children: ComponentChildren;
}

interface StampProps {
  readonly text: string;
  readonly width: number;
  readonly height: number;
}

const Stamp = ({ text, width, height }: StampProps): JSX.Element => (
  <text
    x={width / 2}
    y={height / 2}
    text-anchor="middle"
    font-size={width === narrowWidth ? "18" : "30"}
    font-weight="700"
    letter-spacing="2"
    fill={palette.bad}
    transform={`rotate(-8 ${width / 2} ${height / 2})`}
  >
    {text}
  </text>
);

type NarrowProps = Pick<FigureFrameProps, "title" | "description" | "stamp" | "narrow">;

const NarrowFigure = ({ title, description, narrow, stamp }: NarrowProps): JSX.Element => (
  <svg
    class="fig-narrow"
    role="img"
    aria-label={`${title}: ${description}`}
    viewBox={`0 0 ${narrowWidth} ${narrow.height}`}
    width="100%"
    font-family="system-ui, sans-serif"
  >
    {stamp === undefined ? narrow.children : <g opacity="0.4">{narrow.children}</g>}
    {stamp === undefined ? null : <Stamp text={stamp} width={narrowWidth} height={narrow.height} />}
  </svg>
);

/** Shows a figure with its caption and, folded, its numbers. Readable without style sheet and script. */
export const FigureFrame = (props: FigureFrameProps): JSX.Element => {
  const { id, title, description, height, caption, table, isZoomable, narrow, children } = props;
  return (
    <figure class="fig">
      <Scroll label={title}>
        <svg
          class="fig-wide"
          role="img"
          aria-labelledby={`${id}-title ${id}-desc`}
          viewBox={`0 0 ${figureWidth} ${height}`}
          width="100%"
          font-family="system-ui, sans-serif"
          font-size="12"
          {...(isZoomable === true ? { "data-zoom": "x" } : {})}
        >
          <title id={`${id}-title`}>{title}</title>
          <desc id={`${id}-desc`}>{description}</desc>
          {props.stamp === undefined ? children : <g opacity="0.4">{children}</g>}
          {props.stamp === undefined ? null : <Stamp text={props.stamp} width={figureWidth} height={height} />}
        </svg>
      </Scroll>
      <NarrowFigure title={title} description={description} narrow={narrow} stamp={props.stamp} />
      <figcaption class="fig-caption">{caption}</figcaption>
      {table === undefined ? null : (
        <details>
          <summary>The numbers of this figure</summary>
          <DataTable {...table} />
        </details>
      )}
    </figure>
  );
};

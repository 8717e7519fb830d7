import type { ComponentChildren, JSX } from "preact";
import { palette } from "../printers/html/palette.ts";
import { Scroll } from "../printers/html/page-section.tsx";
import { DataTable, type TableContent } from "../printers/html/data-table.tsx";

/** Width of the coordinates of every figure; text in them is at least 11 high. */
export const figureWidth = 960;

/** Width of the coordinates of a figure that is drawn again for a narrow page. */
export const narrowWidth = 360;

export interface FigureFrameProps {
  /** Unique on the page; letters, digits and hyphens. */
  readonly id: string;
  readonly title: string;
  /** What is seen, for people who do not see it. */
  readonly description: string;
  readonly height: number;
  readonly caption: string;
  /** Why its figures are not to be used; the marks are then pale and the words stand across them. */
  readonly void?: string | undefined;
  readonly isZoomable?: boolean;
  readonly table?: TableContent;
  /** The same figure for a narrow page, which does not show the wide one. */
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

type NarrowProps = Pick<FigureFrameProps, "title" | "description" | "void" | "narrow">;

const Narrow = ({ title, description, narrow, void: stamp }: NarrowProps): JSX.Element => (
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

/** A figure with its caption and, folded, its numbers. Readable without style sheet and script. */
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
          {props.void === undefined ? children : <g opacity="0.4">{children}</g>}
          {props.void === undefined ? null : <Stamp text={props.void} width={figureWidth} height={height} />}
        </svg>
      </Scroll>
      <Narrow title={title} description={description} narrow={narrow} void={props.void} />
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

import type { ComponentChildren } from "preact";

/** A part of a page with its heading, which the table of contents lists. */
export interface PagePart {
  /** Unique on the page. Never contains text of a target. */
  readonly id: string;
  readonly title: string;
  /** The number of items, shown next to the title. */
  readonly count?: string;
  readonly body: ComponentChildren;
}

interface PageSectionProps {
  readonly part: PagePart;
}

/** Shows a part under its third-level heading. */
export const PageSection = ({ part: { id, title, count, body } }: PageSectionProps) => (
  <section class="part" id={id}>
    <h3>
      {title}
      {count === undefined ? null : <span class="count">{count}</span>}
    </h3>
    {body}
  </section>
);

interface ScrollProps {
  readonly label: string;
  readonly children: ComponentChildren;
}

/** A wide table that scrolls on a narrow page, also by keyboard. */
export const Scroll = ({ label, children }: ScrollProps) => (
  <div class="scroll" role="group" aria-label={label} tabIndex={0}>
    {children}
  </div>
);

interface FoldedProps {
  readonly summary: string;
  readonly children: ComponentChildren;
}

/** Details that stay folded until a link to their part opens them. They are printed open. */
export const Folded = ({ summary, children }: FoldedProps) => (
  <details class="folded">
    <summary>{summary}</summary>
    {children}
  </details>
);

import type { ComponentChildren } from "preact";

interface ChapterHeadingProps {
  /** Unique on the page; never text of a target. */
  readonly id: string;
  readonly title: string;
  readonly children?: ComponentChildren;
}

/** The opening of a chapter that is no run. */
export const ChapterHeading = ({ id, title, children }: ChapterHeadingProps) => (
  <section class="side" id={id} aria-labelledby={`${id}-h`}>
    <h2 id={`${id}-h`}>{title}</h2>
    {children}
  </section>
);

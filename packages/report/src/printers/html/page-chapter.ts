import type { PagePart } from "./page-section.tsx";

/** A part of the page that has others below it, such as a run. */
export interface PageChapter {
  /** Unique on the page; never text of a target. */
  readonly id: string;
  readonly title: string;
  /** Stands first, with a heading of the second level of its own. */
  readonly opening: PagePart["body"];
  readonly parts: readonly PagePart[];
}

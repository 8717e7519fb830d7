import type { PagePart } from "./page-section.tsx";

/** A chapter of the page, such as a run. */
export interface PageChapter {
  /** Unique on the page; never text of a target. */
  readonly id: string;
  readonly title: string;
  /** Comes first, with its own heading of the second level. */
  readonly opening: PagePart["body"];
  readonly parts: readonly PagePart[];
}

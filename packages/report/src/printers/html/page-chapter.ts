import type { PagePart } from "./page-section.tsx";

/** A chapter of the page, such as a run. */
export interface PageChapter {
  /** Unique on the page. Never contains text of a target. */
  readonly id: string;
  readonly title: string;
  /** The first part of the chapter, with its own second-level heading. */
  readonly opening: PagePart["body"];
  readonly parts: readonly PagePart[];
}

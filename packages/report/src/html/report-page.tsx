import { shownText } from "../shown-text.ts";
import { PageNav } from "./page-nav.tsx";
import type { PageChapter } from "./page-chapter.ts";
import { PageSection } from "./page-section.tsx";

interface ReportPageProps {
  readonly title: string;
  readonly chapters: readonly PageChapter[];
}

/** A chapter: its opening, and its parts one below the other. */
export const Chapter = ({ chapter: { opening, parts } }: { readonly chapter: PageChapter }) => (
  <div class="chapter">
    {opening}
    {parts.map((part) => (
      <PageSection part={part} />
    ))}
  </div>
);

/** The body of a page: a way past the contents, the contents, and every chapter. */
export const ReportPage = ({ title, chapters }: ReportPageProps) => (
  <>
    <a class="skip" href="#main">
      To the report
    </a>
    <header class="top">
      <h1>
        <span class="brand">assay</span> {shownText(title, "url")}
      </h1>
    </header>
    <PageNav chapters={chapters} />
    <main id="main" tabIndex={-1}>
      {chapters.length === 0 ? <p>Nothing to report: no run was given.</p> : null}
      {chapters.map((chapter) => (
        <Chapter chapter={chapter} />
      ))}
    </main>
  </>
);

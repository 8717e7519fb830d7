import { shownText } from "../document/shown-text.ts";
import type { PageChapter } from "./page-chapter.ts";
import { PageSection } from "./page-section.tsx";

/** The table of contents; the script adds the filter to it. */
const PageNav = ({ chapters }: { readonly chapters: readonly PageChapter[] }) => (
  <nav aria-label="Contents">
    <div id="filter" hidden>
      <label for="q">Filter rules</label>
      <input id="q" type="search" placeholder="s:failed i:legacy text" autocomplete="off" spellcheck={false} />
      <output id="found" for="q" />
    </div>
    {chapters.map(({ id, title, parts }) => (
      <ul>
        <li>
          <a class="chapter-link" href={`#${id}`}>
            {title}
          </a>
        </li>
        {parts.map((part) => (
          <li>
            <a href={`#${part.id}`}>
              {part.title}
              {part.count === undefined ? null : <span class="count">{part.count}</span>}
            </a>
          </li>
        ))}
      </ul>
    ))}
  </nav>
);

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

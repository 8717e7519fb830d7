import { escapeForDisplay } from "../../document/shown-text.ts";
import type { PageChapter } from "./page-chapter.ts";
import { PageSection } from "./page-section.tsx";

const keys = [
  { key: "/", effect: "go to the filter" },
  { key: "j", effect: "next finding" },
  { key: "k", effect: "previous finding" },
  { key: "Esc", effect: "clear the filter" },
  { key: "s:failed", effect: "rules by verdict" },
  { key: "i:legacy", effect: "rules of an interface" },
  { key: "b:stated", effect: "rules by their basis" },
] as const;

/** Explains the keys of the script and the syntax of the filter. */
const KeyHelp = () => (
  <details class="keys">
    <summary>
      Keys <kbd>/</kbd> <kbd>j</kbd> <kbd>k</kbd> <kbd>?</kbd>
    </summary>
    <dl>
      {keys.map(({ key, effect }) => (
        <>
          <dt>
            <kbd>{key}</kbd>
          </dt>
          <dd>{effect}</dd>
        </>
      ))}
    </dl>
    <p>The address has the rule and the filter, so you can send it as a link.</p>
  </details>
);

/** Shows the table of contents, and the filter if the script runs. */
const PageNav = ({ chapters }: { readonly chapters: readonly PageChapter[] }) => (
  <nav aria-label="Contents">
    <div id="filter" hidden>
      <label for="q">Filter rules and findings</label>
      <input id="q" type="search" placeholder="s:failed i:legacy text" autocomplete="off" spellcheck={false} />
      <output id="found" for="q" />
      <KeyHelp />
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

/** Shows the opening and parts of a chapter. */
export const Chapter = ({ chapter: { opening, parts } }: { readonly chapter: PageChapter }) => (
  <div class="chapter">
    {opening}
    {parts.map((part) => (
      <PageSection part={part} />
    ))}
  </div>
);

/** Shows the body of a page: a skip link, the contents, and every chapter. */
export const ReportPage = ({ title, chapters }: ReportPageProps) => (
  <>
    <a class="skip" href="#main">
      To the report
    </a>
    <header class="top">
      <h1>
        <span class="brand">assay</span> · {escapeForDisplay(title, "url")}
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

import type { PageChapter } from "./page-chapter.ts";

/** The table of contents; the script adds the filter to it. */
export const PageNav = ({ chapters }: { readonly chapters: readonly PageChapter[] }) => (
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

import { outcomeWords } from "../outcome-words.ts";
import { shownText } from "../shown-text.ts";
import { ChapterHeading } from "./chapter-heading.tsx";
import { instantText } from "./instant-text.ts";
import { toneOf } from "./outcome-tone.ts";
import type { PageRun } from "./page-runs.ts";
import { Name, Prose } from "./prose.tsx";

/** Several runs in a line each, with how they ended; what is in their columns stands below. */
export const SideBySide = ({ runs }: { readonly runs: readonly PageRun[] }) => (
  <ChapterHeading id="all" title={`${runs.length} runs side by side`}>
    <ol class="runs">
      {runs.map(({ key, result, change }) => {
        const { sign, word } = outcomeWords[result.outcome];
        return (
          <li class={`t-${toneOf(result.outcome)}`}>
            <a href={`#${key}`}>
              {key.replace("r", "Run ")}: <i aria-hidden="true">{sign}</i> {word}
            </a>
            <span>
              <code>{shownText(result.run.target, "url")}</code>
              <span class="meta">
                <Name text={result.run.id} /> · {instantText(result.run.startedAt)}
              </span>
              <span class="title">
                <Prose text={result.summary} />
              </span>
              {change === undefined ? null : (
                <span class="title">
                  Since the baseline: <Prose text={change.sentence} />
                </span>
              )}
            </span>
          </li>
        );
      })}
    </ol>
  </ChapterHeading>
);

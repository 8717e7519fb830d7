import type { RunResult } from "@assay/results";
import type { ComponentChildren } from "preact";
import { pageCaps } from "./page-caps.ts";
import { More, Name, Prose } from "./prose.tsx";

interface NoticeProps {
  readonly tone: "bad" | "unknown";
  readonly title: string;
  readonly items: readonly ComponentChildren[];
}

const Notice = ({ tone, title, items }: NoticeProps) =>
  items.length === 0 ? null : (
    <div class={`notice t-${tone}`}>
      <p>
        <b>{title}</b>
      </p>
      <ul>
        {items.slice(0, pageCaps.items).map((item) => (
          <li>{item}</li>
        ))}
      </ul>
      <More count={items.length - pageCaps.items} noun="of them" plural="of them" />
    </div>
  );

/** What must not be overlooked: why the run is incomplete, what could not be asked of the target, mistakes in the lists of known failures. */
export const Notices = ({ result }: { readonly result: RunResult }) => {
  const failed = result.exchanges.filter(({ failure }) => failure !== undefined);
  return (
    <>
      <Notice
        tone="unknown"
        title="Why the run is incomplete"
        items={result.incomplete.map(({ code, message }) => (
          <>
            <Name text={code} /> <Prose text={message} />
          </>
        ))}
      />
      <Notice
        tone="bad"
        title="Mistakes in the known failures"
        items={(result.knownFailureMistakes ?? []).map((mistake) => (
          <Prose text={mistake} />
        ))}
      />
      <Notice
        tone="unknown"
        title="Exchanges that failed"
        items={failed.map(({ id, probe, failure }) => (
          <>
            <Name text={id} /> <Name text={probe} />: <Prose text={failure ?? ""} />
          </>
        ))}
      />
    </>
  );
};

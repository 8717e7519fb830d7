import type { ReportedFinding } from "@assay/results";
import { standardClientWords } from "../outcome-words.ts";
import { shownText } from "../shown-text.ts";
import { placeOf } from "../finding-lines.ts";
import { ExcerptBlock } from "./excerpt-block.tsx";
import { ExchangeBlock } from "./exchange-detail.tsx";
import type { PageRun } from "./page-runs.ts";
import { Prose } from "./prose.tsx";

interface FindingItemProps {
  readonly run: PageRun;
  readonly finding: ReportedFinding;
  /** Unique on the page. */
  readonly id: string;
  /** The finding whose exchange this one shares, by its id on the page. */
  readonly shownAt?: string;
  /** False where the finding after it is repeated by the same command. */
  readonly showsCommand: boolean;
}

/** One finding in full: what was seen, where, its bytes, the exchange, and the command that repeats the request. */
export const FindingItem = ({ run, finding, id, shownAt, showsCommand }: FindingItemProps) => {
  const { message, excerpt, exchange, standardClient, curl } = finding;
  const place = placeOf(finding);
  return (
    <li id={id}>
      <p class="message">
        <Prose text={message} />
        {place === "" ? null : <span class="place">{place}</span>}
      </p>
      {excerpt === undefined ? null : <ExcerptBlock excerpt={excerpt} />}
      {standardClient === undefined ? null : <p class="client">{standardClientWords[standardClient]}</p>}
      {exchange === undefined ? null : (
        <ExchangeBlock run={run} exchange={exchange} {...(shownAt === undefined ? {} : { shownAt })} />
      )}
      {curl === undefined || !showsCommand ? null : (
        <pre class="curl">
          <code>{shownText(curl, "command")}</code>
        </pre>
      )}
    </li>
  );
};

/** A finding in one line: what was seen and where. */
export const ShortFinding = ({ finding }: { readonly finding: ReportedFinding }) => (
  <li>
    <Prose text={finding.message} />
    <span class="place">{placeOf(finding)}</span>
  </li>
);

import { ruleStanding } from "@assay/results";
import type { ExchangeDetail, ExchangeSummary, ReportedFinding, RuleVerdict } from "@assay/results";
import { describeExtent } from "../../document/brief-sections.ts";
import { counted, formatDuration, formatSize } from "../../document/counted.ts";
import {
  formatEntryOwner,
  formatEntryLocation,
  describeFixed,
  formatFindingLocation,
} from "../../document/run-sections.ts";
import { escapeForDisplay } from "../../document/shown-text.ts";
import { createFindingId, listFullFindings } from "./failure-plan.ts";
import { FindingActions } from "./finding-actions.tsx";
import { type FindingKind, listVerdictFindings } from "./finding-kinds.ts";
import type { PlannedFailure } from "./failure-plan.ts";
import { pageCaps } from "./page-caps.ts";
import { createDetailId, createExchangeRowId } from "./page-runs.ts";
import type { PlacedVerdict, PageRun } from "./page-runs.ts";
import { Command } from "./print-html.tsx";
import { More, Name, Prose } from "./prose.tsx";
import { filterAttributes, StandingBadge } from "./standing-badge.tsx";
import { standardClientWords } from "../../document/outcome-words.ts";
import { ExcerptBlock, breakLines } from "./excerpt-block.tsx";
import { createExplanationId, RuleExplanation } from "./rule-explanation.tsx";

const formatStatus = (status: number | undefined): string => (status === undefined ? "no answer" : `status ${status}`);

const maxHeaders = 40;

const Headers = ({ lines }: { readonly lines: readonly string[] }) => (
  <>
    {lines.slice(0, maxHeaders).map((line) => `${escapeForDisplay(line)}\n`)}
    {lines.length > maxHeaders ? `and ${lines.length - maxHeaders} more\n` : ""}
  </>
);

const Request = ({ method, url, requestHeaders, requestBody }: ExchangeDetail) => (
  <pre>
    <b>{`${escapeForDisplay(method, "name")} ${escapeForDisplay(url, "url")}\n`}</b>
    <Headers lines={requestHeaders} />
    {requestBody === undefined ? "" : `\n${escapeForDisplay(requestBody, "command")}`}
  </pre>
);

const Response = ({ status, responseHeaders, bodyHead, bodyBytes }: ExchangeDetail) => (
  <pre>
    <b>{`${formatStatus(status)}\n`}</b>
    <Headers lines={responseHeaders} />
    {bodyHead === "" ? "" : `\n${breakLines(escapeForDisplay(bodyHead, "command")).trimEnd()}\n`}
    <span class="off">{`body of ${formatSize(bodyBytes)}`}</span>
  </pre>
);

const formatSummary = (run: PageRun, exchange: string): string => {
  const detail = run.exchangeDetails.get(exchange);
  const summary: ExchangeSummary | undefined = run.result.exchanges[run.exchangeIndex.get(exchange) ?? -1];
  const head = `Exchange ${escapeForDisplay(exchange, "name")}`;
  if (summary !== undefined) {
    const { probe, status, bytes, durationMicros } = summary;
    return `${head}, ${escapeForDisplay(probe, "name")}: ${formatStatus(status)}, ${formatSize(bytes)} in ${formatDuration(durationMicros)}`;
  }
  return detail === undefined ? `${head} is not listed` : `${head}: ${formatStatus(detail.status)}`;
};

interface ExchangeBlockProps {
  readonly run: PageRun;
  readonly exchange: string;
  /** Id of the earlier finding that already shows the exchange. */
  readonly earlierFindingId?: string;
}

/** Shows the exchange of a finding: heads of request and response, and the beginning of the body. A link if the page shows it already. */
const ExchangeBlock = ({ run, exchange, earlierFindingId }: ExchangeBlockProps) => {
  const detail = run.exchangeDetails.get(exchange);
  const text = formatSummary(run, exchange);
  const target = earlierFindingId ?? createExchangeRowId(run, exchange);
  if (detail === undefined || earlierFindingId !== undefined) {
    return <p class="xref">{target === undefined ? text : <a href={`#${target}`}>{text}</a>}</p>;
  }
  return (
    <details class="exchange">
      <summary>{text}</summary>
      <div class="heads">
        <Request {...detail} />
        <Response {...detail} />
      </div>
    </details>
  );
};

interface FindingItemProps {
  readonly placed: PlacedVerdict;
  readonly kind: FindingKind;
  /** Id of the earlier finding with the same exchange. */
  readonly earlierFindingId?: string;
}

/** Shows the first example of a kind of finding: message, location, bytes, actions, the command that repeats the request, and the exchange. */
const FindingItem = ({ placed, kind: { example, index, count, isMinimum }, earlierFindingId }: FindingItemProps) => {
  const { message, excerpt, exchange, standardClient, curl } = example;
  const location = escapeForDisplay(formatFindingLocation(example));
  const kindCount = count === 1 ? [] : [`one of ${isMinimum ? "at least " : ""}${count} of this kind`];
  return (
    <li id={createFindingId(placed, index)} data-step>
      <p class="message">
        <Prose text={message} />
        <span class="place">
          {[...(location === "" ? [] : [location]), ...kindCount].map((text) => `${text}; `)}
          <a href={`#${createExplanationId(placed)}`}>about this rule</a>
        </span>
      </p>
      {excerpt === undefined ? null : <ExcerptBlock excerpt={excerpt} />}
      <FindingActions placed={placed} finding={example} />
      {standardClient === undefined ? null : <p class="client">{standardClientWords[standardClient]}</p>}
      {curl === undefined ? null : <Command command={curl} />}
      {exchange === undefined ? null : (
        <ExchangeBlock
          run={placed.run}
          exchange={exchange}
          {...(earlierFindingId === undefined ? {} : { earlierFindingId })}
        />
      )}
    </li>
  );
};

/** Shows a finding on one line: message and location. */
const ShortFinding = ({ finding }: { readonly finding: ReportedFinding }) => (
  <li>
    <Prose text={finding.message} />
    <span class="place">{escapeForDisplay(formatFindingLocation(finding))}</span>
  </li>
);

const KnownFailureNote = ({ rule }: { readonly rule: RuleVerdict }) => {
  const { known } = rule;
  return known === undefined ? null : (
    <p class="known">
      {ruleStanding(rule) === "fixed"
        ? `It ${escapeForDisplay(describeFixed({ rule, known }))}. Listed because: `
        : "Known: "}
      <Prose text={known.reason} />
      <span class="place">{`${escapeForDisplay(formatEntryLocation(known), "url")}; ${escapeForDisplay(formatEntryOwner(known), "name")}`}</span>
    </p>
  );
};

const PartlyBlockedNote = ({ rule: { verdict } }: { readonly rule: RuleVerdict }) =>
  verdict.outcome === "failed" && verdict.partlyBlocked !== undefined ? (
    <p class="known">
      Some responses could not be checked: <Prose text={verdict.partlyBlocked.missing} />
    </p>
  ) : null;

const Findings = ({ planned: { placed, earlierFindingIds } }: { readonly planned: PlannedFailure }) => {
  const findings = listVerdictFindings(placed);
  const fullKinds = listFullFindings(placed);
  const shownIndexes = new Set(fullKinds.map(({ index }) => index));
  const shortFindings = findings.filter((_, index) => !shownIndexes.has(index)).slice(0, pageCaps.shortFindings);
  const { verdict } = placed.rule;
  const droppedCount = verdict.outcome === "failed" || verdict.outcome === "warned" ? verdict.moreFindings : 0;
  const omittedCount = findings.length - fullKinds.length - shortFindings.length + droppedCount;
  return (
    <>
      <ol class="findings">
        {fullKinds.map((kind) => {
          const earlierFindingId = earlierFindingIds.get(kind.index);
          return (
            <FindingItem
              placed={placed}
              kind={kind}
              {...(earlierFindingId === undefined ? {} : { earlierFindingId })}
            />
          );
        })}
      </ol>
      {shortFindings.length === 0 ? null : (
        <details class="short">
          <summary>{counted(shortFindings.length + omittedCount, "more finding")}</summary>
          <ol>
            {shortFindings.map((finding) => (
              <ShortFinding finding={finding} />
            ))}
          </ol>
          <More count={omittedCount} noun="finding" />
        </details>
      )}
    </>
  );
};

const listRuleFacts = ({ basis, interface: name, operation, mustTest }: RuleVerdict): string =>
  [
    basis,
    escapeForDisplay(name, "name"),
    escapeForDisplay(operation, "name"),
    ...(mustTest ? ["required by the profile"] : []),
  ].join(" · ");

/** Shows a rule that failed or warned: its title, findings and requirements. */
export const FailureCard = ({ planned }: { readonly planned: PlannedFailure }) => {
  const { placed } = planned;
  const { rule } = placed;
  const standing = ruleStanding(rule);
  return (
    <article
      class={`card s-${standing}`}
      id={createDetailId(placed)}
      data-step={listVerdictFindings(placed).length === 0 ? true : undefined}
      {...filterAttributes([rule])}
    >
      <header>
        <StandingBadge standing={standing} />
        <h4>
          <a href={`#${createDetailId(placed)}`}>
            <Name text={rule.rule} />
          </a>
        </h4>
        <b class="affected">{describeExtent(rule, placed.run.result.exchanges)}</b>
        <span class="meta">{listRuleFacts(rule)}</span>
      </header>
      <p class="title">
        <Prose text={rule.title} />
      </p>
      <KnownFailureNote rule={rule} />
      <PartlyBlockedNote rule={rule} />
      {listVerdictFindings(placed).length === 0 ? null : <Findings planned={planned} />}
      <RuleExplanation placed={placed} />
    </article>
  );
};

/** Shows a rule that failed or warned on one line, for rules beyond the limit of the page. */
export const ListedFailure = ({ placed }: { readonly placed: PlacedVerdict }) => (
  <li id={createDetailId(placed)} data-step {...filterAttributes([placed.rule])}>
    <StandingBadge standing={ruleStanding(placed.rule)} /> <Name text={placed.rule.rule} />{" "}
    <Prose text={listVerdictFindings(placed)[0]?.message ?? placed.rule.title} />
  </li>
);

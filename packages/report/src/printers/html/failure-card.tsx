import { ruleStanding } from "@assay/results";
import type { ExchangeDetail, ExchangeSummary, ReportedFinding, RuleVerdict } from "@assay/results";
import { findingsText } from "../../document/brief-sections.ts";
import { counted, durationOf, sizeOf } from "../../document/counted.ts";
import { entryOwner, entryPlace, fixedSentence, placeOf } from "../../document/run-sections.ts";
import { shownText } from "../../document/shown-text.ts";
import { findingId, fullFindings } from "./failure-plan.ts";
import { FindingActions } from "./finding-actions.tsx";
import { type FindingKind, findingsOf } from "./finding-kinds.ts";
import type { PlannedFailure } from "./failure-plan.ts";
import { pageCaps } from "./page-caps.ts";
import { detailId, exchangeRowId } from "./page-runs.ts";
import type { PlacedVerdict, PageRun } from "./page-runs.ts";
import { Command } from "./print-html.tsx";
import { More, Name, Prose } from "./prose.tsx";
import { filterKeys, StandingBadge } from "./standing-badge.tsx";
import { standardClientWords } from "../../document/outcome-words.ts";
import { ExcerptBlock, brokenLines } from "./excerpt-block.tsx";
import { explanationId, RuleExplanation } from "./rule-explanation.tsx";

const statusText = (status: number | undefined): string => (status === undefined ? "no answer" : `status ${status}`);

const maxHeaders = 40;

const Headers = ({ lines }: { readonly lines: readonly string[] }) => (
  <>
    {lines.slice(0, maxHeaders).map((line) => `${shownText(line)}\n`)}
    {lines.length > maxHeaders ? `and ${lines.length - maxHeaders} more\n` : ""}
  </>
);

const Request = ({ method, url, requestHeaders, requestBody }: ExchangeDetail) => (
  <pre>
    <b>{`${shownText(method, "name")} ${shownText(url, "url")}\n`}</b>
    <Headers lines={requestHeaders} />
    {requestBody === undefined ? "" : `\n${shownText(requestBody, "command")}`}
  </pre>
);

const Response = ({ status, responseHeaders, bodyHead, bodyBytes }: ExchangeDetail) => (
  <pre>
    <b>{`${statusText(status)}\n`}</b>
    <Headers lines={responseHeaders} />
    {bodyHead === "" ? "" : `\n${brokenLines(shownText(bodyHead, "command")).trimEnd()}\n`}
    <span class="off">{`body of ${sizeOf(bodyBytes)}`}</span>
  </pre>
);

const summaryText = (run: PageRun, exchange: string): string => {
  const detail = run.details.get(exchange);
  const summary: ExchangeSummary | undefined = run.result.exchanges[run.exchangeIndex.get(exchange) ?? -1];
  const head = `Exchange ${shownText(exchange, "name")}`;
  if (summary !== undefined) {
    const { probe, status, bytes, durationMicros } = summary;
    return `${head}, ${shownText(probe, "name")}: ${statusText(status)}, ${sizeOf(bytes)} in ${durationOf(durationMicros)}`;
  }
  return detail === undefined ? `${head} is not listed` : `${head}: ${statusText(detail.status)}`;
};

interface ExchangeBlockProps {
  readonly run: PageRun;
  readonly exchange: string;
  /** Id of the finding that already shows the exchange. */
  readonly shownAt?: string;
}

/** The exchange of a finding: heads of request and response, and the beginning of the body; a link if the page shows it already. */
const ExchangeBlock = ({ run, exchange, shownAt }: ExchangeBlockProps) => {
  const detail = run.details.get(exchange);
  const text = summaryText(run, exchange);
  const target = shownAt ?? exchangeRowId(run, exchange);
  if (detail === undefined || shownAt !== undefined) {
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
  /** Id of the finding with the same exchange. */
  readonly shownAt?: string;
}

/** The first example of a kind of finding: message, place, bytes, actions, the command that repeats the request, and the exchange. */
const FindingItem = ({ placed, kind: { first, at, count, isAtLeast }, shownAt }: FindingItemProps) => {
  const { message, excerpt, exchange, standardClient, curl } = first;
  const place = shownText(placeOf(first));
  const others = count === 1 ? [] : [`one of ${isAtLeast ? "at least " : ""}${count} of this kind`];
  return (
    <li id={findingId(placed, at)} data-step>
      <p class="message">
        <Prose text={message} />
        <span class="place">
          {[...(place === "" ? [] : [place]), ...others].map((text) => `${text}; `)}
          <a href={`#${explanationId(placed)}`}>about this rule</a>
        </span>
      </p>
      {excerpt === undefined ? null : <ExcerptBlock excerpt={excerpt} />}
      <FindingActions placed={placed} finding={first} />
      {standardClient === undefined ? null : <p class="client">{standardClientWords[standardClient]}</p>}
      {curl === undefined ? null : <Command command={curl} />}
      {exchange === undefined ? null : (
        <ExchangeBlock run={placed.run} exchange={exchange} {...(shownAt === undefined ? {} : { shownAt })} />
      )}
    </li>
  );
};

/** A finding on one line: message and place. */
const ShortFinding = ({ finding }: { readonly finding: ReportedFinding }) => (
  <li>
    <Prose text={finding.message} />
    <span class="place">{shownText(placeOf(finding))}</span>
  </li>
);

const Known = ({ rule }: { readonly rule: RuleVerdict }) => {
  const { known } = rule;
  return known === undefined ? null : (
    <p class="known">
      {ruleStanding(rule) === "fixed" ? `It ${shownText(fixedSentence({ rule, known }))}. Listed because: ` : "Known: "}
      <Prose text={known.reason} />
      <span class="place">{`${shownText(entryPlace(known), "url")}; ${shownText(entryOwner(known), "name")}`}</span>
    </p>
  );
};

const PartlyBlocked = ({ rule: { verdict } }: { readonly rule: RuleVerdict }) =>
  verdict.outcome === "failed" && verdict.partlyBlocked !== undefined ? (
    <p class="known">
      Some responses could not be checked: <Prose text={verdict.partlyBlocked.missing} />
    </p>
  ) : null;

const Findings = ({ planned: { placed, shownAt } }: { readonly planned: PlannedFailure }) => {
  const findings = findingsOf(placed);
  const full = fullFindings(placed);
  const shown = new Set(full.map(({ at }) => at));
  const short = findings.filter((_, at) => !shown.has(at)).slice(0, pageCaps.shortFindings);
  const { verdict } = placed.rule;
  const uncounted = verdict.outcome === "failed" || verdict.outcome === "warned" ? verdict.moreFindings : 0;
  const more = findings.length - full.length - short.length + uncounted;
  return (
    <>
      <ol class="findings">
        {full.map((kind) => {
          const earlier = shownAt.get(kind.at);
          return <FindingItem placed={placed} kind={kind} {...(earlier === undefined ? {} : { shownAt: earlier })} />;
        })}
      </ol>
      {short.length === 0 ? null : (
        <details class="short">
          <summary>{counted(short.length + more, "more finding")}</summary>
          <ol>
            {short.map((finding) => (
              <ShortFinding finding={finding} />
            ))}
          </ol>
          <More count={more} noun="finding" />
        </details>
      )}
    </>
  );
};

const factsOf = ({ basis, interface: name, operation, mustTest }: RuleVerdict): string =>
  [basis, shownText(name, "name"), shownText(operation, "name"), ...(mustTest ? ["required by the profile"] : [])].join(
    " · ",
  );

/** A rule that failed or warned: its title, findings and requirements. */
export const FailureCard = ({ planned }: { readonly planned: PlannedFailure }) => {
  const { placed } = planned;
  const { rule } = placed;
  const standing = ruleStanding(rule);
  return (
    <article
      class={`card s-${standing}`}
      id={detailId(placed)}
      data-step={findingsOf(placed).length === 0 ? true : undefined}
      {...filterKeys([rule])}
    >
      <header>
        <StandingBadge standing={standing} />
        <h4>
          <a href={`#${detailId(placed)}`}>
            <Name text={rule.rule} />
          </a>
        </h4>
        <b class="affected">{findingsText(rule, placed.run.result.exchanges)}</b>
        <span class="meta">{factsOf(rule)}</span>
      </header>
      <p class="title">
        <Prose text={rule.title} />
      </p>
      <Known rule={rule} />
      <PartlyBlocked rule={rule} />
      {findingsOf(placed).length === 0 ? null : <Findings planned={planned} />}
      <RuleExplanation placed={placed} />
    </article>
  );
};

/** A rule that failed or warned on one line, for rules beyond the limit of the page. */
export const ListedFailure = ({ placed }: { readonly placed: PlacedVerdict }) => (
  <li id={detailId(placed)} data-step {...filterKeys([placed.rule])}>
    <StandingBadge standing={ruleStanding(placed.rule)} /> <Name text={placed.rule.rule} />{" "}
    <Prose text={findingsOf(placed)[0]?.message ?? placed.rule.title} />
  </li>
);

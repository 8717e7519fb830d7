import type { ExchangeDetail, ExchangeSummary } from "@assay/results";
import { durationOf, sizeOf } from "../counted.ts";
import { shownText } from "../shown-text.ts";
import { brokenLines } from "./excerpt-block.tsx";
import { exchangeRowId, type PageRun } from "./page-runs.ts";

const statusText = (status: number | undefined): string => (status === undefined ? "no answer" : `status ${status}`);

const shownHeaders = 40;

const Headers = ({ lines }: { readonly lines: readonly string[] }) => (
  <>
    {lines.slice(0, shownHeaders).map((line) => `${shownText(line)}\n`)}
    {lines.length > shownHeaders ? `and ${lines.length - shownHeaders} more\n` : ""}
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
  /** Where on the page the exchange is shown in full already. */
  readonly shownAt?: string;
}

/** The exchange behind a finding: the heads of both sides and how its body begins; where that stands on the page already, a link to it. */
export const ExchangeBlock = ({ run, exchange, shownAt }: ExchangeBlockProps) => {
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

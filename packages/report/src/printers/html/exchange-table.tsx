import type { ExchangeSummary } from "@assay/results";
import { formatDuration, formatSize, formatGrouped } from "../../document/counted.ts";
import { escapeForDisplay } from "../../document/shown-text.ts";
import { pageCaps, divideCap } from "./page-caps.ts";
import type { PageRun } from "./page-runs.ts";
import { Scroll } from "./page-section.tsx";
import { More, Prose } from "./prose.tsx";

const columns = [
  "Exchange",
  "Probe",
  "Interface",
  "Status",
  "Size",
  "Events",
  "Matches",
  "First match",
  "Took",
] as const;

interface RowProps {
  readonly exchange: ExchangeSummary;
  readonly id: string;
}

const Row = ({ exchange, id }: RowProps) => {
  const { probe, status, bytes, events, matches, firstMatchMicros, durationMicros, url, failure } = exchange;
  return (
    <tr id={id}>
      <th scope="row">{escapeForDisplay(exchange.id, "name")}</th>
      <td>
        {escapeForDisplay(probe, "name")}
        <span class="title">
          <code>{escapeForDisplay(url, "url")}</code>
          {failure === undefined ? null : (
            <b>
              {" "}
              failed: <Prose text={failure} />
            </b>
          )}
        </span>
      </td>
      <td>{`${escapeForDisplay(exchange.interface, "name")} ${escapeForDisplay(exchange.operation, "name")}`}</td>
      <td class="n">{status ?? "–"}</td>
      <td class="n">{formatSize(bytes)}</td>
      <td class="n">{formatGrouped(events)}</td>
      <td class="n">{formatGrouped(matches)}</td>
      <td class="n">{firstMatchMicros === undefined ? "–" : formatDuration(firstMatchMicros)}</td>
      <td class="n">{formatDuration(durationMicros)}</td>
    </tr>
  );
};

/** Lists the requests of a run in order, folded. Findings show the details of their exchanges. */
export const ExchangeTable = ({ run }: { readonly run: PageRun }) => {
  const { exchanges } = run.result;
  const shownExchanges = exchanges.slice(0, divideCap(pageCaps.exchanges, run.runCount));
  return (
    <details>
      <summary>
        {exchanges.length === 1
          ? "The request of the run"
          : `All ${formatGrouped(exchanges.length)} requests of the run`}
      </summary>
      <Scroll label="Exchanges">
        <table class="exchanges">
          <thead>
            <tr>
              {columns.map((column, index) => (
                <th scope="col" class={index >= 3 ? "n" : undefined}>
                  {column}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {shownExchanges.map((exchange, index) => (
              <Row exchange={exchange} id={`${run.key}-x${index}`} />
            ))}
          </tbody>
        </table>
      </Scroll>
      <More count={exchanges.length - shownExchanges.length} noun="exchange" />
    </details>
  );
};

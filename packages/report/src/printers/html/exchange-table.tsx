import type { ExchangeSummary } from "@assay/results";
import { durationOf, sizeOf, groupedNumber } from "../../document/counted.ts";
import { shownText } from "../../document/shown-text.ts";
import { pageCaps, shareOf } from "./page-caps.ts";
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
      <th scope="row">{shownText(exchange.id, "name")}</th>
      <td>
        {shownText(probe, "name")}
        <span class="title">
          <code>{shownText(url, "url")}</code>
          {failure === undefined ? null : (
            <b>
              {" "}
              failed: <Prose text={failure} />
            </b>
          )}
        </span>
      </td>
      <td>{`${shownText(exchange.interface, "name")} ${shownText(exchange.operation, "name")}`}</td>
      <td class="n">{status ?? "–"}</td>
      <td class="n">{sizeOf(bytes)}</td>
      <td class="n">{groupedNumber(events)}</td>
      <td class="n">{groupedNumber(matches)}</td>
      <td class="n">{firstMatchMicros === undefined ? "–" : durationOf(firstMatchMicros)}</td>
      <td class="n">{durationOf(durationMicros)}</td>
    </tr>
  );
};

/** The requests of a run in order, folded: findings show the details of theirs.*/
export const ExchangeTable = ({ run }: { readonly run: PageRun }) => {
  const { exchanges } = run.result;
  const shown = exchanges.slice(0, shareOf(pageCaps.exchanges, run.runs));
  return (
    <details>
      <summary>
        {exchanges.length === 1
          ? "The request of the run"
          : `All ${groupedNumber(exchanges.length)} requests of the run`}
      </summary>
      <Scroll label="Exchanges">
        <table class="exchanges">
          <thead>
            <tr>
              {columns.map((column, at) => (
                <th scope="col" class={at >= 3 ? "n" : undefined}>
                  {column}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {shown.map((exchange, at) => (
              <Row exchange={exchange} id={`${run.key}-x${at}`} />
            ))}
          </tbody>
        </table>
      </Scroll>
      <More count={exchanges.length - shown.length} noun="exchange" />
    </details>
  );
};

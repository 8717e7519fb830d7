import type { QueryComparison } from "@assay/results";
import type { JSX } from "preact";
import { counted } from "../counted.ts";
import { changeText } from "../load/shown-number.ts";
import { shownText } from "../shown-text.ts";
import { DataTable } from "./data-table.tsx";

/** More queries than this are not listed; those with the smallest p-values are. */
const mostRows = 100;

const pText = (pValue: number): string => (pValue < 0.0001 ? "< 0.0001" : pValue.toFixed(4));

export interface QueryChangesProps {
  readonly queries: readonly QueryComparison[];
  readonly worthALook: readonly QueryComparison[];
}

/** Queries that may have moved, and folded all of them; none of it is part of a verdict. */
export const QueryChanges = ({ queries, worthALook }: QueryChangesProps): JSX.Element | null => {
  if (queries.length === 0) {
    return null;
  }
  const rows = queries.toSorted((one, other) => one.pValue - other.pValue).slice(0, mostRows);
  const named = worthALook.map(({ query, change }) => `${shownText(query, "name")} ${changeText(change)}`).join(", ");
  const left = queries.length - rows.length;
  return (
    <>
      <p>
        {named === "" ? "No query stands out by itself" : `Queries worth a look: ${named}`}
        {" (exploratory, Benjamini and Hochberg at 5 %; never part of the verdict)."}
      </p>
      <details>
        <summary>{`${counted(queries.length, "query", "queries")}, each by itself`}</summary>
        <DataTable
          caption={`Change of each query's median, with the p-value of that query alone${left > 0 ? `; ${left} more are left out` : ""}`}
          head={["query", "change", "p", "worth a look"]}
          rows={rows.map(({ query, change, pValue, worthALook }) => [
            shownText(query, "name"),
            changeText(change),
            pText(pValue),
            worthALook ? "yes" : "no",
          ])}
        />
      </details>
    </>
  );
};

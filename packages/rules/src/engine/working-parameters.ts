import { succeeded } from "./answer.ts";
import type { JudgedExchange } from "./rule.ts";
import { searchQuery } from "./search-query.ts";

/** The parameters of a search besides `q`, as sent. */
export type SentParameters = readonly (readonly [name: string, value: string])[];

/** Returns the parameters of a search besides `q`. */
export const listParameters = ({ record }: JudgedExchange): SentParameters =>
  [...searchQuery(record)].filter(([name]) => name !== "q");

/** Returns the parameters that are not among `others`. */
export const without = (parameters: SentParameters, others: SentParameters): SentParameters =>
  parameters.filter(([name, value]) => !others.some((other) => other[0] === name && other[1] === value));

/** Returns the key shared by searches with the same credential and query. */
const queryKey = ({ record }: JudgedExchange): string => `${record.credential} ${String(searchQuery(record).get("q"))}`;

/** Maximum number of different sets of parameters that are compared for one query. A run sends about twenty. */
const maxSets = 100;

/** Finds the searches that worked. The result lists the sets of parameters that worked for the query of an exchange. */
export function findWorkingParameters(
  exchanges: readonly JudgedExchange[],
): (exchange: JudgedExchange) => readonly SentParameters[] {
  const setsByQuery = new Map<string, Map<string, SentParameters>>();
  for (const exchange of exchanges.filter((candidate) => succeeded(candidate))) {
    const key = queryKey(exchange);
    const sets = setsByQuery.get(key) ?? new Map<string, SentParameters>();
    const parameters = listParameters(exchange);
    if (sets.size < maxSets || parameters.length === 0) {
      setsByQuery.set(key, sets.set(JSON.stringify(parameters), parameters));
    }
  }
  return (exchange) => [...(setsByQuery.get(queryKey(exchange))?.values() ?? [])];
}

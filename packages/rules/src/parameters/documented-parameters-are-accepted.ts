import { defineExchangeRule } from "../engine/rule.ts";
import type { JudgedExchange } from "../engine/rule.ts";
import { isAnswered, isDistressed } from "../access/answer.ts";
import { hasDocumentedParameters } from "./documented-value.ts";
import { searchQuery } from "./search-query.ts";

/** Whether a search went as searches go: it was answered, and not only by alerts or errors. */
const isOrdinary = (exchange: JudgedExchange): boolean =>
  isAnswered(exchange) && exchange.stream?.isOnlyProblems === false && exchange.stream.events > 0;

/** What two searches must share to be compared: who asks and what for. */
const askedBy = ({ record }: JudgedExchange): string => `${record.credential} ${searchQuery(record).get("q") ?? ""}`;

/**
 * A documented parameter with a documented value does not spoil a search that works without it. The search without it has
 * to be among the exchanges: a query that fails anyway proves nothing. Source: search-stream, section 4.
 */
export const documentedParametersAreAccepted = defineExchangeRule({
  id: "stream/documented-parameters-are-accepted",
  check(exchanges, reportFor) {
    const plain = exchanges.filter(({ record }) => [...searchQuery(record).keys()].every((name) => name === "q"));
    const works = new Set(plain.filter(isOrdinary).map(askedBy));
    for (const exchange of exchanges) {
      const { record, stream } = exchange;
      const isAsked = hasDocumentedParameters(searchQuery(record)) && works.has(askedBy(exchange));
      if (!isAsked || isDistressed(exchange) || stream?.isEnded === false) {
        continue;
      }
      const report = reportFor(record.id);
      report.observe();
      if (!isOrdinary(exchange)) {
        const seen = isAnswered(exchange) ? "only alerts or errors came" : `the answer was ${record.response?.status}`;
        const asked = [...searchQuery(record)].filter(([name]) => name !== "q").map((pair) => pair.join("="));
        report.violation({ message: `a search that works without \`${asked.join("&")}\` fails with it: ${seen}` });
      }
    }
  },
});

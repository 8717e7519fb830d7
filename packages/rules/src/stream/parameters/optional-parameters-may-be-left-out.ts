import { describeResponse, isUsable, mayLackCredential, succeeded } from "../../engine/answer.ts";
import { defineExchangeRule } from "../../engine/rule.ts";
import { hasDocumentedParameters, searchQuery } from "../../engine/search-query.ts";
import { findWorkingParameters, listParameters, without } from "../../engine/working-parameters.ts";

/**
 * Reports whether a search may legitimately fail without the parameter. Without `display`, the results may be too
 * large. Without `t`, the query may be invalid.
 */
const mayFailWithout = ([name, value]: readonly [name: string, value: string]): boolean =>
  name === "display" || (name === "t" && value !== "standard");

/**
 * Only `q` is required. If a search with more parameters succeeds, the same search without them is not refused. Source:
 * search-stream, section 4.
 */
export const optionalParametersMayBeLeftOut = defineExchangeRule({
  id: "stream/optional-parameters-may-be-left-out",
  check(exchanges, reportFor) {
    const workingParameters = findWorkingParameters(
      exchanges.filter(({ record }) => searchQuery(record).has("q") && hasDocumentedParameters(searchQuery(record))),
    );
    for (const exchange of exchanges.filter((candidate) => isUsable(candidate) && !mayLackCredential(candidate))) {
      const sent = listParameters(exchange);
      const [leftOut] = workingParameters(exchange)
        .filter((parameters) => parameters.length > sent.length && without(sent, parameters).length === 0)
        .map((parameters) => without(parameters, sent))
        .filter((parameters) => !parameters.some((parameter) => mayFailWithout(parameter)))
        .toSorted((left, right) => left.length - right.length);
      if (leftOut === undefined) {
        continue;
      }
      const report = reportFor(exchange.record.id);
      report.observation();
      if (!succeeded(exchange)) {
        const names = leftOut.map(([name]) => `\`${name}\``).join(", ");
        const [subject, object] = leftOut.length === 1 ? [names, "it"] : [`one of ${names}`, "them"];
        const message = `${subject} is required here: a search that works with ${object} fails without ${object}: ${describeResponse(exchange)}`;
        report.violation({ message });
      }
    }
  },
});

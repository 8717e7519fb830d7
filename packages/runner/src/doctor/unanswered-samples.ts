import type { ExchangeDraft } from "@assay/evidence";
import type { DoctorCheck } from "@assay/results";
import { hasFailed, isGivenUpInFront, isLost } from "./failed-requests.ts";
import { couldNotTell, problem } from "./findings.ts";
import { answerClause, seenAs } from "./seen-answers.ts";
import type { SeenAnswers } from "./seen-answers.ts";

const id = "buffering";

/** Whether a search was answered by something that is no stream. Where we stopped waiting, nobody knows. */
function isNoStream(exchange: ExchangeDraft): boolean {
  const kind = seenAs(exchange);
  return kind === "nothing" || kind === "unfinished" ? isLost(exchange) : kind !== "served" && kind !== "limited";
}

const secondsOf = ({ times }: ExchangeDraft): string =>
  `${((times.endedAtMicros - times.sentAtMicros) / 1_000_000).toFixed(1)} s`;

function adviceFor(exchange: ExchangeDraft): string {
  if (isGivenUpInFront(exchange)) {
    return "what is in front waits for too short a time: raise its timeouts for the first byte and for the whole response (nginx: proxy_read_timeout; HAProxy: timeout server; load balancers: idle timeout) to 5 min; else look for servers behind it that are down";
  }
  return hasFailed(exchange)
    ? "look into the log of what is in front for servers behind it that are down or restart, and into that of the instance; a limit of requests may answer so as well (nginx: limit_req)"
    : "something in front decides by the words of a query or by how often one asks: have it let /.api/search/stream pass, whatever is searched for";
}

/** What the searches that are to show how a stream arrives were answered by, where that was no stream. */
export function unansweredSamples({ samples }: SeenAnswers): DoctorCheck | undefined {
  const exchanges = samples.map(({ exchange }) => exchange);
  const [first, ...others] = exchanges.filter((exchange) => isNoStream(exchange));
  if (first !== undefined) {
    return problem(id, [
      `${others.length + 1} of ${exchanges.length} longer searches got no stream: ${answerClause(first)} after ${secondsOf(first)}`,
      adviceFor(first),
    ]);
  }
  const areLimited = exchanges.length > 0 && exchanges.every((exchange) => seenAs(exchange) === "limited");
  return areLimited
    ? couldNotTell(id, ["too many requests (status 429)", "try again later; see the line about limits"])
    : undefined;
}

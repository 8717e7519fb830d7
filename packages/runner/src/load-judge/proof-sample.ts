import type { RuleId } from "@assay/contract";
import type { RecordedExchange } from "@assay/evidence";
import type { MutationTrial } from "@assay/rules";
import { judgeLoadCalls, classifyLoadExchange, type LoadRules, loadTarget, judgeLoadStreams } from "./load-rules.ts";
import { proveRules } from "../judge/prove-rules.ts";
import { toRecordedCall } from "../judge/recorded-call.ts";

/** Maximum numbers of sampled searches per URL, of URLs, and of conversations. */
const maxSearchesPerUrl = 2;
const maxUrls = 24;
const maxSessions = 12;

/**
 * A sample of exchanges for confirming passes: the first searches of each URL, and the first finished conversations.
 * They are altered in the same way as all exchanges of a contract run.
 */
export class ProofSample {
  readonly #searches: RecordedExchange[] = [];
  readonly #sessions: (readonly RecordedExchange[])[] = [];
  readonly #countByUrl = new Map<string, number>();

  addSearch(exchange: RecordedExchange): void {
    const url = exchange.record.request.url;
    const count = this.#countByUrl.get(url) ?? 0;
    const isUrlSampled = count > 0 || this.#countByUrl.size < maxUrls;
    if (isUrlSampled && count < maxSearchesPerUrl) {
      this.#countByUrl.set(url, count + 1);
      this.#searches.push(exchange);
    }
  }

  addSession(calls: readonly RecordedExchange[]): void {
    if (this.#sessions.length < maxSessions) {
      this.#sessions.push(calls);
    }
  }

  /** Adds exchanges from a second sample until this one is full. */
  addAll(sample: ProofSample): void {
    sample.#searches.forEach((exchange) => this.addSearch(exchange));
    sample.#sessions.forEach((calls) => this.addSession(calls));
  }

  /** Returns the proofs of the rules that passed in the whole load. */
  findProofs(rules: LoadRules, passedRules: ReadonlySet<string>): ReadonlyMap<RuleId, readonly MutationTrial[]> {
    const exchanges = this.#sessions.flat();
    const calls = exchanges.map((exchange) => toRecordedCall(exchange));
    const streams = judgeLoadStreams(rules.streams, this.#searches);
    // Losing one observation must be noticed within the sample, because the whole load always has more observations.
    const passedOutcomes = [...streams.outcomes, ...judgeLoadCalls(rules.calls, calls)].filter(([id]) =>
      passedRules.has(id),
    );
    return proveRules(
      {
        target: loadTarget,
        streams: {
          rules: rules.streams,
          exchanges: this.#searches,
          judgedExchanges: streams.judgedExchanges,
          classify: classifyLoadExchange,
        },
        conversations: { rules: rules.calls, exchanges, calls, references: [], servedApi: {} },
      },
      new Map(passedOutcomes.map(([id, { observations }]) => [id, observations])),
    );
  }
}

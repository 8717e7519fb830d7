import type { RuleId } from "@assay/contract";
import type { RecordedExchange } from "@assay/evidence";
import type { MutationTrial } from "@assay/rules";
import { callOutcomes, readLoadExchange, type LoadRules, loadTarget, streamOutcomes } from "./load-rules.ts";
import { proveRules } from "../judge/prove-rules.ts";
import { recordedCall } from "../judge/recorded-call.ts";

/** Maximum numbers of sampled searches per URL, of URLs, and of conversations. */
const sampledOfAddress = 2;
const sampledAddresses = 24;
const sampledSessions = 12;

/**
 * A sample of exchanges for confirming passes: the first searches of each URL, and the first finished conversations.
 * They are altered in the same way as all exchanges of a contract run.
 */
export class ProofSample {
  readonly #searches: RecordedExchange[] = [];
  readonly #sessions: (readonly RecordedExchange[])[] = [];
  readonly #addresses = new Map<string, number>();

  takeSearch(exchange: RecordedExchange): void {
    const address = exchange.record.request.url;
    const count = this.#addresses.get(address) ?? 0;
    const isKnown = count > 0 || this.#addresses.size < sampledAddresses;
    if (isKnown && count < sampledOfAddress) {
      this.#addresses.set(address, count + 1);
      this.#searches.push(exchange);
    }
  }

  takeSession(calls: readonly RecordedExchange[]): void {
    if (this.#sessions.length < sampledSessions) {
      this.#sessions.push(calls);
    }
  }

  /** Adds exchanges from a second sample until this one is full. */
  takeAll(other: ProofSample): void {
    other.#searches.forEach((exchange) => this.takeSearch(exchange));
    other.#sessions.forEach((calls) => this.takeSession(calls));
  }

  /** Returns the proofs of the rules that passed in the whole load. */
  proofs(rules: LoadRules, passedRules: ReadonlySet<string>): ReadonlyMap<RuleId, readonly MutationTrial[]> {
    const exchanges = this.#sessions.flat();
    const calls = exchanges.map((exchange) => recordedCall(exchange));
    const streams = streamOutcomes(rules.streams, this.#searches);
    // Losing one observation must be noticed within the sample, because the whole load always has more observations.
    const passedOutcomes = [...streams.outcomes, ...callOutcomes(rules.calls, calls)].filter(([id]) =>
      passedRules.has(id),
    );
    return proveRules(
      {
        target: loadTarget,
        streams: {
          rules: rules.streams,
          exchanges: this.#searches,
          judged: streams.judged,
          readingOf: readLoadExchange,
        },
        conversations: { rules: rules.calls, exchanges, calls, references: [], served: {} },
      },
      new Map(passedOutcomes.map(([id, { observations }]) => [id, observations])),
    );
  }
}

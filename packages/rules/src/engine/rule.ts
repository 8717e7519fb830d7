import { eventNames } from "@assay/contract";
import type { EventName, RuleId } from "@assay/contract";
import type { ExchangeRecord } from "@assay/evidence";
import type { StreamEvent } from "@assay/stream-grammar";
import { cachePerObject } from "./cache-per-object.ts";
import type { CountedUnits } from "./counted-units.ts";
import type { Match } from "./matches/match.ts";
import type { Reporter } from "./reporter.ts";
import type { ResultFacts } from "./result-facts.ts";
import type { SearchProgress } from "./search-progress.ts";
import type { StreamFacts } from "./stream-facts.ts";
import type { StreamGaps } from "./stream-gaps.ts";

/** The context of a stream rule, available before the first event. */
export interface StreamContext {
  readonly exchange: Pick<ExchangeRecord, "request" | "credential">;
  /** What may be missing in the stream so far. Current at every event. */
  readonly gaps: Readonly<StreamGaps>;
  /** The matches so far. Current at every match and event. */
  readonly units: Readonly<CountedUnits>;
  /** The progress of the search before the current event. */
  readonly progress: Readonly<SearchProgress>;
}

/** Handles one event. The value of the event is unchecked. */
export type EventStep<State> = (state: State, event: StreamEvent, report: Reporter) => void;

/** Handles one element of a `matches` event. */
export type MatchStep<State> = (state: State, match: Match, report: Reporter) => void;

/** A rule about the format of a stream. Its violations are codes of the grammar, and it only counts observations. */
export interface FramingRule {
  readonly needs: "framing";
  readonly id: RuleId;
  /** The unit of an observation: an event, a stream with at least one byte, a stream that ended properly, a `done`. */
  readonly counts: "events" | "streams" | "ended-streams" | "done-events";
  /** Whether the events are sufficient, without their bytes. Default: no. */
  readonly needsOnlyEvents?: boolean;
}

/** The step of a stream rule for one event. */
export type EventReader = (event: StreamEvent, report: Reporter) => void;

/** The steps of a stream rule for one stream. */
export interface StreamReaders {
  /** By event name. */
  readonly events: ReadonlyMap<EventName, EventReader>;
  readonly match: ((match: Match, report: Reporter) => void) | undefined;
}

/** A rule about one stream. It is opened for each stream and receives the events that it subscribes to. */
export interface StreamRule {
  readonly needs: "stream";
  readonly id: RuleId;
  open(context: StreamContext): StreamReaders;
}

/** The definition of a stream rule: a fold over the events with its own state. */
export interface StreamRuleDefinition<State> {
  readonly id: RuleId;
  /** Reports whether the rule applies to this stream [every stream]. It receives no events of other streams. */
  readonly appliesTo?: (context: StreamContext) => boolean;
  readonly start: (context: StreamContext) => State;
  /**
   * Steps by event name. An event whose data is not JSON has no value. The value of a `matches` event is opaque (see
   * `countMatches`): after its step, `match` receives each of its elements.
   */
  readonly on: Readonly<Partial<Record<EventName, EventStep<State>>>> & { readonly match?: MatchStep<State> };
}

/** An exchange with the facts of its stream, if it has one. The input of rules about several exchanges. */
export interface JudgedExchange {
  readonly record: ExchangeRecord;
  readonly stream?: StreamFacts;
  /** Results of the search. Only for exchanges that a rule compares. */
  readonly results?: ResultFacts;
}

/** Facts about the target. */
export interface TargetFacts {
  readonly access: "private" | "public" | "undeclared";
  /**
   * The access shown by the responses to searches without a token, if `access` is undeclared. Absent if they disagree.
   */
  readonly foundAccess?: "private" | "public";
  /** Whether users can read each other's conversations by read token. */
  readonly sharing: "on" | "off" | "undeclared";
}

/** Facts about access to searches. */
export type AccessFacts = Pick<TargetFacts, "access" | "foundAccess">;

/** A rule about exchanges: which searches succeed and which fail. */
export interface ExchangeRule {
  readonly needs: "exchanges";
  readonly id: RuleId;
  /** Returns why the rule does not apply to this target, or undefined if it does. */
  exclusionReason?(target: AccessFacts): string | undefined;
  /**
   * Returns the ids of the exchanges whose results the rule compares. Called before any stream is opened. Results of
   * other exchanges are not collected. Cached, because proofs judge the same searches many times.
   */
  comparedExchangeIds?(records: readonly ExchangeRecord[]): ReadonlySet<string>;
  check(exchanges: readonly JudgedExchange[], reportFor: (exchange: string) => Reporter): void;
}

export type Rule = FramingRule | StreamRule | ExchangeRule;

/** Defines a rule about the format of a stream. */
export const defineFramingRule = (rule: Omit<FramingRule, "needs">): FramingRule => ({ needs: "framing", ...rule });

/** Defines a rule about the events of a stream. */
export function defineStreamRule<State>(definition: StreamRuleDefinition<State>): StreamRule {
  const { id, appliesTo = () => true, start, on } = definition;
  return {
    needs: "stream",
    id,
    open(context) {
      if (!appliesTo(context)) {
        return { events: new Map(), match: undefined };
      }
      const state = start(context);
      const events = new Map<EventName, EventReader>();
      for (const name of eventNames) {
        const step = on[name];
        if (step !== undefined) {
          events.set(name, (event, report) => step(state, event, report));
        }
      }
      const { match: step } = on;
      return { events, match: step && ((match, report) => step(state, match, report)) };
    },
  };
}

/** Defines a rule about exchanges. */
export const defineExchangeRule = ({
  comparedExchangeIds = () => new Set(),
  ...rule
}: Omit<ExchangeRule, "needs">): ExchangeRule => ({
  needs: "exchanges",
  ...rule,
  comparedExchangeIds: cachePerObject(comparedExchangeIds),
});

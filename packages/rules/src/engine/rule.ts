import { eventNames } from "@assay/contract";
import type { EventName, RuleId } from "@assay/contract";
import type { ExchangeRecord } from "@assay/evidence";
import type { StreamEvent } from "@assay/stream-grammar";
import type { Reporter } from "./reporter.ts";
import type { ResultFacts } from "./result-facts.ts";
import type { StreamFacts } from "./stream-facts.ts";

/** What a stream rule knows before the first event. */
export interface StreamContext {
  readonly exchange: Pick<ExchangeRecord, "request" | "credential">;
  /** What the form of the stream has cost so far; up to date whenever an event is shown. */
  readonly damage: Readonly<StreamDamage>;
}

/** What departures from the form took away from the rules about events. */
export interface StreamDamage {
  /** Whether an event came that could not be shown, because a field of it was missing or could not be read. */
  hasLostEvent: boolean;
}

/** Looks at one event. The event's value is whatever the target sent. */
export type EventStep<State> = (state: State, event: StreamEvent, report: Reporter) => void;

/** A rule about the form of a stream: it speaks through codes of the grammar, and counts what it looked at. */
export interface FramingRule {
  readonly needs: "framing";
  readonly id: RuleId;
  /** What one observation is: an event, a stream with any bytes, a stream that closed in good order, a `done`. */
  readonly counts: "events" | "streams" | "ended-streams" | "done-events";
  /** Whether events show it without their bytes [no]. */
  readonly isOfEvents?: boolean;
}

/** What a stream rule does with one event. */
export type EventReader = (event: StreamEvent, report: Reporter) => void;

/** A rule about one stream: opened for each stream, it is shown the events it wants. */
export interface StreamRule {
  readonly needs: "stream";
  readonly id: RuleId;
  /** Readers by event name; `any` sees every event, before the others. */
  open(context: StreamContext): ReadonlyMap<EventName | "any", EventReader>;
}

/** A stream rule as it is written down: a fold over the events, with a state of its own. */
export interface StreamRuleDefinition<State> {
  readonly id: RuleId;
  /** Whether the rule is about this stream; left out, it is about every one. Others are not shown to it at all. */
  readonly isAbout?: (context: StreamContext) => boolean;
  readonly start: (context: StreamContext) => State;
  /** Steps by event name; `any` sees every event. An event whose data is not JSON has no value. */
  readonly on: Readonly<Partial<Record<EventName | "any", EventStep<State>>>>;
}

/** What a rule about several exchanges is given: each exchange and what its stream, if it has one, came to. */
export interface JudgedExchange {
  readonly record: ExchangeRecord;
  readonly stream?: StreamFacts;
  /** What the search found; only of the exchanges that some rule compares. */
  readonly results?: ResultFacts;
}

/** What is known of the target. */
export interface TargetFacts {
  readonly access: "private" | "public" | "undeclared";
  /** How the target answered searches without a token, where `access` is undeclared. Absent where that is not clear. */
  readonly foundAccess?: "private" | "public";
  /** Whether users can read each other's conversations through their read tokens. */
  readonly sharing: "on" | "off" | "undeclared";
}

/** What is known of who may search. */
export type AccessFacts = Pick<TargetFacts, "access" | "foundAccess">;

/** A rule about exchanges: which searches are answered and which are not. */
export interface ExchangeRule {
  readonly needs: "exchanges";
  readonly id: RuleId;
  /** Why the rule does not apply to this target, or `undefined` if it does. */
  excludes?(target: AccessFacts): string | undefined;
  /**
   * Ids of the exchanges whose results the rule compares. Asked before any stream is opened: what others find is never
   * collected.
   */
  compares?(records: readonly ExchangeRecord[]): ReadonlySet<string>;
  check(exchanges: readonly JudgedExchange[], reportFor: (exchange: string) => Reporter): void;
}

export type Rule = FramingRule | StreamRule | ExchangeRule;

/** A rule about the form of a stream. */
export const defineFramingRule = (rule: Omit<FramingRule, "needs">): FramingRule => ({ needs: "framing", ...rule });

/** A rule about the events of a stream. */
export function defineStreamRule<State>(definition: StreamRuleDefinition<State>): StreamRule {
  const { id, isAbout = () => true, start, on } = definition;
  return {
    needs: "stream",
    id,
    open(context) {
      if (!isAbout(context)) {
        return new Map();
      }
      const state = start(context);
      const readers = new Map<EventName | "any", EventReader>();
      for (const name of ["any", ...eventNames] as const) {
        const step = on[name];
        if (step !== undefined) {
          readers.set(name, (event, report) => step(state, event, report));
        }
      }
      return readers;
    },
  };
}

/** A rule about exchanges. */
export const defineExchangeRule = (rule: Omit<ExchangeRule, "needs">): ExchangeRule => ({
  needs: "exchanges",
  ...rule,
});

import { eventNames } from "@assay/contract";
import type { EventName, RuleId } from "@assay/contract";
import type { ExchangeRecord } from "@assay/evidence";
import type { StreamEvent } from "@assay/stream-grammar";
import type { Reporter } from "./reporter.ts";
import type { ResultFacts } from "./result-facts.ts";
import type { StreamFacts } from "./stream-facts.ts";

/** What a stream rule is given before the first event. */
export interface StreamContext {
  readonly exchange: Pick<ExchangeRecord, "request" | "credential">;
  /** Damage by violations of the format so far; up to date for every event. */
  readonly damage: Readonly<StreamDamage>;
}

/** Events that rules cannot see because of violations of the format. */
export interface StreamDamage {
  /** Whether an event was lost because a field was missing or unreadable. */
  hasLostEvent: boolean;
}

/** Handles one event. The value of the event is whatever the target sent. */
export type EventStep<State> = (state: State, event: StreamEvent, report: Reporter) => void;

/** A rule about the format of a stream: it has codes of the grammar, and only counts observations. */
export interface FramingRule {
  readonly needs: "framing";
  readonly id: RuleId;
  /** What one observation is: an event, a stream with any bytes, a stream that ended properly, a `done`. */
  readonly counts: "events" | "streams" | "ended-streams" | "done-events";
  /** Whether the events without their bytes are enough [no]. */
  readonly isOfEvents?: boolean;
}

/** The step of a stream rule for one event. */
export type EventReader = (event: StreamEvent, report: Reporter) => void;

/** A rule about one stream. It is opened for each stream and receives the events that it asks for. */
export interface StreamRule {
  readonly needs: "stream";
  readonly id: RuleId;
  /** Readers by event name; `any` sees every event, before the others. */
  open(context: StreamContext): ReadonlyMap<EventName | "any", EventReader>;
}

/** A stream rule as written: a fold over the events with its own state. */
export interface StreamRuleDefinition<State> {
  readonly id: RuleId;
  /** Reports whether the rule is about this stream [every one]; it does not receive events of others. */
  readonly isAbout?: (context: StreamContext) => boolean;
  readonly start: (context: StreamContext) => State;
  /** Steps by event name; `any` receives every event. An event whose data is not JSON has no value. */
  readonly on: Readonly<Partial<Record<EventName | "any", EventStep<State>>>>;
}

/** An exchange with the facts of its stream, if it has one: input of a rule about several exchanges. */
export interface JudgedExchange {
  readonly record: ExchangeRecord;
  readonly stream?: StreamFacts;
  /** Results of the search; only for exchanges that a rule compares. */
  readonly results?: ResultFacts;
}

/** Facts about the target. */
export interface TargetFacts {
  readonly access: "private" | "public" | "undeclared";
  /**
   * Access that the responses to searches without a token show, if `access` is undeclared. Absent if that is not
   * clear.
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
  /** Why the rule does not apply to this target; undefined if it does. */
  excludes?(target: AccessFacts): string | undefined;
  /**
   * Ids of the exchanges whose results the rule compares. Called before any stream is opened: results of other
   * exchanges are not collected.
   */
  compares?(records: readonly ExchangeRecord[]): ReadonlySet<string>;
  check(exchanges: readonly JudgedExchange[], reportFor: (exchange: string) => Reporter): void;
}

export type Rule = FramingRule | StreamRule | ExchangeRule;

/** Defines a rule about the format of a stream. */
export const defineFramingRule = (rule: Omit<FramingRule, "needs">): FramingRule => ({ needs: "framing", ...rule });

/** Defines a rule about the events of a stream. */
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

/** Defines a rule about exchanges. */
export const defineExchangeRule = (rule: Omit<ExchangeRule, "needs">): ExchangeRule => ({
  needs: "exchanges",
  ...rule,
});

import type { ConversationProbeId } from "./conversation-probes.ts";
import type { RequirementId } from "./requirements/requirement-id.ts";

/**
 * Why a rule may speak, strongest first. `stated`: a sentence of the specifications. `schema`: the OpenAPI document.
 * `derived`: a necessary consequence of requirements. `inferred`: plausible but not promised; warns, and fails only in
 * strict runs. `observed`: the specifications list "observed values"; never fails, new values are reported.
 */
export type Basis = "stated" | "schema" | "derived" | "inferred" | "observed";

/**
 * Interfaces of the service: the streaming search, the conversation API in its `legacy` and its `current` form, and the
 * `reference`, where an instance serves its OpenAPI document.
 */
export const interfaceNames = ["stream", "legacy", "current", "reference"] as const;
export type InterfaceName = (typeof interfaceNames)[number];

/** What a request asks for: `search` of the stream, `describe` of the reference, all else of a conversation interface. */
export const operationNames = ["search", "create", "get", "list", "follow-up", "cancel", "delete", "describe"] as const;
export type OperationName = (typeof operationNames)[number];

/** What a rule is about: an interface, or how the two interfaces of the conversation API go together. */
export type RuleInterface = "stream" | "legacy" | "current" | "migration";

/** Which operation of that interface a rule is about; `conversation` is what several of them show. */
export type RuleOperation = Exclude<OperationName, "describe"> | "conversation";

/** Profiles of a run, from the smallest to the largest: what one of them demands, the next one demands as well. */
export const profileNames = ["smoke", "gate", "release"] as const;
export type ProfileName = (typeof profileNames)[number];

/** What a search is good for: the stream itself, what parameters do, comparing searches of one file, or who may search. */
export type SearchPurpose = "stream" | "parameters" | "comparison" | "access";

/** Searches with a credential that only one rule needs, or two of which one applies. */
export type AccessProbeId = "no-token" | "invalid-token" | "unscoped-token" | "oauth-token";

interface Row {
  readonly basis: Basis;
  /** What holds, one sentence, shown to the user. */
  readonly title: string;
  /** What goes wrong for a client where it fails, one or two requirements [what its chapter says]. */
  readonly why?: string;
  /** The requirements the rule comes from; they are judged by this rule, which is written down nowhere else. */
  readonly requirements: readonly [RequirementId, ...RequirementId[]];
  /** Smallest profile in which a run is not green unless the rule was observed [none]. */
  readonly demandedBy?: ProfileName;
  /** Version of Assay that was the first to judge by it, such as `1.4.0` [0.1.0, the first of all]. */
  readonly since?: string;
  /**
   * Closed codes that distinguish its findings [none: they are all of one kind]. A code may have an argument, such as a member, a
   * value or an operation. The codes of the event format are in `grammarViolations`.
   */
  readonly codes?: readonly string[];
  /** Why it may not have been tested and what may help, one clause [by its searches or its operation]. */
  readonly notTested?: string;
  /** Whether only something tests it that a target need not send, or that few repositories have. No run is too small for it then. */
  readonly mayBeUntested?: true;
  /** What most often makes it fail although the server is healthy, one sentence [unknown]. */
  readonly likelyCause?: string;
}

/** A record about streams as it is written down; the catalogue adds the rest. */
export interface RuleRow extends Row {
  /** Groups of searches that a run has to send to test the rule [those of every run: `stream`]. */
  readonly searches?: readonly [SearchPurpose, ...SearchPurpose[]];
  /** The search with a credential that tests it [none: any of its searches]. */
  readonly probes?: readonly [AccessProbeId];
}

/** A record about conversations as it is written down; the catalogue adds the rest. */
export interface ConversationRuleRow extends Row {
  readonly operation: RuleOperation;
  /** Probes that a run has to send to test the rule [those of its operation]. */
  readonly probes?: readonly ConversationProbeId[];
}

type InOneInterface = Pick<Row, "requirements"> & Partial<ConversationRuleRow>;

/** One record for both conversation interfaces. Its key is the statement alone: each interface has a rule with that statement. */
export interface SharedRuleRow extends Omit<ConversationRuleRow, "requirements"> {
  readonly interfaces: readonly ["legacy", "current"];
  /** What only holds in one interface, or differs there from what is said for both. */
  readonly legacy: InOneInterface;
  readonly current: InOneInterface;
}

/** A record in a chapter about conversations. */
export type ConversationRow = ConversationRuleRow | SharedRuleRow;

/** A requirement as data; its check is in the package `rules` under the same id, in a file of the same chapter. */
export interface RuleRecord extends Row {
  /** `<area>/<statement-in-kebab-case>`, stated as what holds; never reused, never renumbered. */
  readonly id: string;
  readonly interface: RuleInterface;
  readonly operation: RuleOperation;
  /** What the files are called that hold the record and the check. */
  readonly chapter: string;
  /** Groups of searches that a run has to send to test the rule; none for a rule about conversations. */
  readonly searches: readonly SearchPurpose[];
  readonly probes: readonly (AccessProbeId | ConversationProbeId)[];
  readonly codes: readonly string[];
  readonly notTested: string;
}

import type { ConversationProbeId } from "./conversation-probes.ts";
import type { RequirementId } from "./requirements/requirement-id.ts";

/**
 * The basis of a rule, strongest first. `stated`: a requirement of the specifications. `schema`: the OpenAPI
 * document. `derived`: a necessary consequence of requirements. `inferred`: plausible but not promised; warns, and
 * fails only in strict runs. `observed`: the specifications list "observed values"; never fails, new values are
 * reported.
 */
export type Basis = "stated" | "schema" | "derived" | "inferred" | "observed";

/**
 * Interfaces of the service: the streaming search, the conversation API in its `legacy` and its `current` form, and the
 * `reference`, where an instance serves its OpenAPI document.
 */
export const interfaceNames = ["stream", "legacy", "current", "reference"] as const;
export type InterfaceName = (typeof interfaceNames)[number];

/**
 * Operation of a request: `search` of the stream, `describe` of the reference, all others of a conversation
 * interface.
 */
export const operationNames = ["search", "create", "get", "list", "follow-up", "cancel", "delete", "describe"] as const;
export type OperationName = (typeof operationNames)[number];

/** The subject of a rule: an interface, or the migration between the two conversation interfaces. */
export type RuleInterface = "stream" | "legacy" | "current" | "migration";

/** The operation that a rule is about; `conversation` for rules that several operations can show. */
export type RuleOperation = Exclude<OperationName, "describe"> | "conversation";

/** Profiles of a run, from the smallest to the largest. Each one demands all rules of the previous ones. */
export const profileNames = ["smoke", "gate", "release"] as const;
export type ProfileName = (typeof profileNames)[number];

/**
 * What a search tests: the stream itself, the effect of parameters, a comparison of searches of one file, or access.
 */
export type SearchPurpose = "stream" | "parameters" | "comparison" | "access";

/** Searches with a credential that only one rule needs, or two rules of which one applies. */
export type AccessProbeId = "no-token" | "invalid-token" | "unscoped-token" | "oauth-token";

interface Row {
  readonly basis: Basis;
  /** What the rule requires, one sentence, shown to the user. */
  readonly title: string;
  /** The consequences for a client if the rule fails, one or two sentences. Default: the reason of its chapter. */
  readonly why?: string;
  /** The requirements that this rule judges. They are assigned only here. */
  readonly requirements: readonly [RequirementId, ...RequirementId[]];
  /** The smallest profile that demands the rule: a run is not green if the rule was not tested. Default: none. */
  readonly demandedBy?: ProfileName;
  /** The first version of Assay with the rule, such as `1.4.0`. Default: 0.1.0, the first version. */
  readonly since?: string;
  /**
   * Closed codes that distinguish the findings of the rule [none: there is only one kind]. A code may have an
   * argument, such as a member, a value or an operation. The codes of the event format are in `grammarViolations`.
   */
  readonly codes?: readonly string[];
  /** The likely reason the rule was not tested, and what may help, as a clause. Default: derived from its searches or operation. */
  readonly notTested?: string;
  /**
   * Whether the rule needs something that a target need not send, or that few repositories have. Then a run is
   * complete without it.
   */
  readonly mayBeUntested?: true;
  /** The most frequent cause of a failure although the server is healthy, as a sentence. Default: unknown. */
  readonly likelyCause?: string;
}

/** A record about streams as written in the chapters; the catalogue adds the rest. */
export interface RuleRow extends Row {
  /** Groups of searches that a run must send to test the rule. Default: `stream`, the searches of every run. */
  readonly searches?: readonly [SearchPurpose, ...SearchPurpose[]];
  /** The search with a credential that tests the rule. By default, any of its searches does. */
  readonly probes?: readonly [AccessProbeId];
}

/** A record about conversations as written in the chapters; the catalogue adds the rest. */
export interface ConversationRuleRow extends Row {
  readonly operation: RuleOperation;
  /** Probes that a run must send to test the rule. Default: those of its operation. */
  readonly probes?: readonly ConversationProbeId[];
}

type InOneInterface = Pick<Row, "requirements"> & Partial<ConversationRuleRow>;

/** One record for both conversation interfaces. Its key has no interface: each interface has a rule with that key. */
export interface SharedRuleRow extends Omit<ConversationRuleRow, "requirements"> {
  readonly interfaces: readonly ["legacy", "current"];
  /** Members for one interface; they replace those for both. */
  readonly legacy: InOneInterface;
  readonly current: InOneInterface;
}

/** A record in a chapter about conversations. */
export type ConversationRow = ConversationRuleRow | SharedRuleRow;

/** A rule as data. Its check is in the package `rules` under the same id, in a file of the same chapter. */
export interface RuleRecord extends Row {
  /** `<area>/<statement-in-kebab-case>`, named after what it requires; never reused, never renumbered. */
  readonly id: string;
  readonly interface: RuleInterface;
  readonly operation: RuleOperation;
  /** Name of the files with the record and the check. */
  readonly chapter: string;
  /** Groups of searches that a run must send to test the rule; none for a rule about conversations. */
  readonly searches: readonly SearchPurpose[];
  readonly probes: readonly (AccessProbeId | ConversationProbeId)[];
  readonly codes: readonly string[];
  readonly notTested: string;
}

import type { RequirementId } from "./requirements/requirement-id.ts";

/**
 * Why a rule may speak, strongest first. `stated`: a sentence of the specifications. `schema`: the OpenAPI document.
 * `derived`: a necessary consequence of sentences. `inferred`: plausible but not promised; warns, and fails only in
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
}

/** A record about streams as it is written down; the catalogue adds the rest. */
export interface RuleRow extends Row {
  /** Searches that a run has to send so that the rule can be observed [such as any run sends: `stream`]. */
  readonly searches?: readonly [SearchPurpose, ...SearchPurpose[]];
}

/** A record about conversations as it is written down; the catalogue adds the rest. */
export interface ConversationRuleRow extends Row {
  readonly operation: RuleOperation;
}

/** A requirement as data; its check is in the package `rules` under the same id, in a file of the same chapter. */
export interface RuleRecord extends Row {
  /** `<area>/<statement-in-kebab-case>`, stated as what holds; never reused, never renumbered. */
  readonly id: string;
  readonly interface: RuleInterface;
  readonly operation: RuleOperation;
  /** What the files are called that hold the record and the check. */
  readonly chapter: string;
  /** Searches that a run has to send so that the rule can be observed; none for a rule about conversations. */
  readonly searches: readonly SearchPurpose[];
}

/**
 * Why a rule may speak, strongest first. `stated`: a sentence of the documents. `schema`: the OpenAPI document.
 * `derived`: a necessary consequence of sentences. `inferred`: plausible but not promised; warns, and fails only in
 * strict runs. `observed`: the documents list "observed values"; never fails, new values are reported.
 */
export type Basis = "stated" | "schema" | "derived" | "inferred" | "observed";

/** A record as it is written down; the catalogue adds its id, interface and operation. */
export type RuleRow = Pick<RuleRecord, "basis" | "title" | "sentences">;

/** A record of the conversation API as it is written down; the catalogue adds its id and its interface. */
export type ConversationRuleRow = Pick<RuleRecord, "basis" | "operation" | "title" | "sentences">;

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

/** A requirement as data; its check lives in the package `rules` under the same id. */
export interface RuleRecord {
  /** `<area>/<statement-in-kebab-case>`, stated as what holds; never reused, never renumbered. */
  readonly id: string;
  /** What holds, one sentence, shown to the user. */
  readonly title: string;
  readonly basis: Basis;
  /** Ids of the sentences the rule comes from. */
  readonly sentences: readonly [string, ...string[]];
  readonly interface: RuleInterface;
  readonly operation: RuleOperation;
}

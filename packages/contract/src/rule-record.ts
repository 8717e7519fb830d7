/**
 * Why a rule may speak, strongest first. `stated`: a sentence of the documents. `schema`: the OpenAPI document.
 * `derived`: a necessary consequence of sentences. `inferred`: plausible but not promised; warns, and fails only in
 * strict runs. `observed`: the documents list "observed values"; never fails, new values are reported.
 */
export type Basis = "stated" | "schema" | "derived" | "inferred" | "observed";

/** A record as it is written down; the catalogue adds its id, interface and operation. */
export type RuleRow = Pick<RuleRecord, "basis" | "title" | "sentences">;

/** Which interface of the service a rule is about. */
export type InterfaceName = "stream";

/** Which operation of that interface a rule is about. */
export type OperationName = "search";

/** A requirement as data; its check lives in the package `rules` under the same id. */
export interface RuleRecord {
  /** `<area>/<statement-in-kebab-case>`, stated as what holds; never reused, never renumbered. */
  readonly id: string;
  /** What holds, one sentence, shown to the user. */
  readonly title: string;
  readonly basis: Basis;
  /** Ids of the sentences the rule comes from. */
  readonly sentences: readonly [string, ...string[]];
  readonly interface: InterfaceName;
  readonly operation: OperationName;
}

import type { InterfaceName, OperationName } from "@assay/contract";
import type { SchemaError } from "../schema-error.ts";

/** A tested interface. The API reference is not tested. */
export type DescribedInterface = Exclude<InterfaceName, "reference">;

/** The description of one operation in a document. Untrusted text: escape it before showing. */
export interface ApiOperation {
  /** Path template of the document, without the path of the server. */
  readonly path: string;
  /** In upper case. */
  readonly method: string;
  readonly operationId?: string;
  /** Described members of the request body, at most 200. Empty if it is not described. */
  readonly requestMembers: readonly string[];
  /** Statuses of the described responses, such as `200`, `4XX` or `default`. */
  readonly statuses: readonly string[];
  /**
   * Returns the errors of a response body. Empty if it is known to be valid. Bodies that are not JSON or have no schema are not validated.
   * Returns undefined if the document does not describe this status or content type, or if there is no result (`reasonForNoVerdict` and a
   * note explain why).
   */
  readonly responseErrors: (
    status: number,
    contentType: string | undefined,
    json: unknown,
  ) => readonly SchemaError[] | undefined;
  /**
   * Returns why a response with a schema has no result, as a clause: the schema cannot be compiled, the value exceeds the
   * limits, or the result depends on an unsupported or ambiguous keyword. Returns undefined for other responses.
   */
  readonly reasonForNoVerdict: (status: number, contentType: string | undefined, json: unknown) => string | undefined;
}

/** An operation with its interface and name. */
export interface DescribedOperation extends ApiOperation {
  readonly interface: DescribedInterface;
  readonly operation: OperationName;
}

/** The description of the tested interfaces in an OpenAPI document. */
export interface ApiDescription {
  readonly source: "served" | "pinned";
  /** Messages about parts that could not be checked or compared. Grows if a value exceeds the limits. */
  readonly notes: readonly string[];
  /** Returns the operation of an interface, or undefined if the document has none. */
  readonly operation: (name: DescribedInterface, operation: OperationName) => ApiOperation | undefined;
  /** All operations, in the order of the document. */
  readonly operations: readonly DescribedOperation[];
  /** Method and path of all other operations, at most 1,000, sorted. */
  readonly otherOperations: readonly string[];
  /** Differences from our documents. Empty for ours. Sorted, at most 500. */
  readonly differences: readonly ApiDifference[];
}

/** One difference between the served document and ours. */
export interface ApiDifference {
  readonly kind: ApiDifferenceKind;
  /** The operation, such as `legacy/create`, or method and path for other operations. */
  readonly operation: string;
  /** Position in the operation, such as `request/questions[]/input` or `response 200/stats`. Empty for the operation itself. */
  readonly place: string;
  /** One sentence. */
  readonly message: string;
}

/** Added: only in the served document. Removed: only in ours. A closed set. */
export type ApiDifferenceKind =
  | "operation-added"
  | "operation-removed"
  | "member-added"
  | "member-removed"
  | "member-retyped"
  | "required-changed"
  | "enum-changed"
  | "parameter-added"
  | "parameter-removed"
  | "parameter-retyped"
  | "response-added"
  | "response-removed";

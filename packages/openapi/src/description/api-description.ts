import type { InterfaceName, OperationName } from "@assay/contract";
import type { SchemaError } from "../schema-error.ts";

/** An interface that is tested; the reference that describes them is not. */
export type DescribedInterface = Exclude<InterfaceName, "reference">;

/** What a document says about one operation. Everything in it is text of a stranger: escape it before showing. */
export interface ApiOperation {
  /** Path template as the document writes it, without the path of the server. */
  readonly path: string;
  /** In upper case. */
  readonly method: string;
  readonly operationId?: string;
  /** Members that the body of a request is described to have, at most 200; none where it is not described. */
  readonly requestMembers: readonly string[];
  /** Statuses of the described responses, as `200`, `4XX` or `default`. */
  readonly statuses: readonly string[];
  /**
   * How the body of an answer departs from the document, none if it fits for sure. A body that is not of a JSON type is never
   * judged, nor is one that is described without a schema. Undefined when the document does not describe this status or
   * type of content, or when there is no verdict (`reasonForNoVerdict`, and a note, say why).
   */
  readonly responseErrors: (
    status: number,
    contentType: string | undefined,
    json: unknown,
  ) => readonly SchemaError[] | undefined;
  /**
   * Why an answer that the document has a schema for gets no verdict, one clause: the schema cannot be compiled, the value is beyond
   * the limits, or the verdict depends on a keyword that is not supported or has two readings. Undefined for any other answer.
   */
  readonly reasonForNoVerdict: (status: number, contentType: string | undefined, json: unknown) => string | undefined;
}

/** An operation with its place among the interfaces. */
export interface DescribedOperation extends ApiOperation {
  readonly interface: DescribedInterface;
  readonly operation: OperationName;
}

/** What an OpenAPI document says about the interfaces that are tested. */
export interface ApiDescription {
  readonly source: "served" | "pinned";
  /** What could not be checked or compared, one sentence each. Grows when a value turns out to be beyond the limits. */
  readonly notes: readonly string[];
  /** The operation of an interface, undefined where the document has none. */
  readonly operation: (name: DescribedInterface, operation: OperationName) => ApiOperation | undefined;
  /** All of them, in the order of the document. */
  readonly operations: readonly DescribedOperation[];
  /** Method and path of every other operation of the document, at most 1,000, sorted. */
  readonly otherOperations: readonly string[];
  /** How the document differs from the project's own ones; none for those themselves. Sorted, at most 500. */
  readonly differences: readonly ApiDifference[];
}

/** One way in which the served document differs from the project's own. */
export interface ApiDifference {
  readonly kind: ApiDifferenceKind;
  /** As `legacy/create`, or method and path for an operation that has no name here. */
  readonly operation: string;
  /** Where in the operation, as `request/questions[]/input` or `response 200/stats`; empty for the operation itself. */
  readonly place: string;
  /** One sentence. */
  readonly message: string;
}

/** Added is what only the served document has, removed what only the project's own has; a closed set. */
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

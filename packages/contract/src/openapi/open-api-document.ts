import type { OperationName } from "../rule-record.ts";

/** The subset of JSON Schema draft 2020-12 that this project uses. */
export interface JsonSchema {
  readonly $ref?: string;
  readonly type?: JsonType | readonly JsonType[];
  readonly description?: string;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly items?: JsonSchema;
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly const?: string;
  readonly enum?: readonly string[];
  readonly default?: string | number | boolean;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly minProperties?: number;
  readonly maxProperties?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly additionalProperties?: JsonSchema;
  readonly pattern?: string;
  readonly examples?: readonly (string | number | boolean)[];
  readonly discriminator?: { readonly propertyName: string; readonly mapping: Readonly<Record<string, string>> };
}

type JsonType = "string" | "integer" | "number" | "boolean" | "array" | "object" | "null";

interface Parameter {
  readonly name: string;
  readonly in: "query" | "header" | "path";
  readonly required: boolean;
  readonly description: string;
  readonly schema: JsonSchema;
}

interface MediaType {
  readonly schema: JsonSchema;
}

interface EventStream extends MediaType {
  /** Schema of the data of each event, by its name. An extension: OpenAPI 3.1 cannot describe it. */
  readonly "x-event-data": Readonly<Record<string, JsonSchema>>;
}

interface RequestBody {
  readonly required: boolean;
  readonly description: string;
  readonly content: { readonly "application/json": MediaType };
}

interface Response {
  readonly description: string;
  /** Keyed by media type; the range of all types stands for a body of any type, or none. */
  readonly content:
    | { readonly "text/event-stream": EventStream }
    | { readonly "application/json": MediaType }
    | { readonly "*/*": MediaType };
}

interface Operation {
  readonly operationId: string;
  /** The operation of its interface; an extension. Absent if the interface has only one operation. */
  readonly "x-assay-operation"?: OperationName;
  readonly summary: string;
  readonly description: string;
  readonly deprecated?: boolean;
  readonly security: readonly Readonly<Record<string, readonly string[]>>[];
  readonly parameters: readonly Parameter[];
  readonly requestBody?: RequestBody;
  readonly responses: Readonly<Record<string, Response>>;
}

interface PathItem {
  readonly get?: Operation;
  readonly post?: Operation;
  readonly delete?: Operation;
}

type SecurityScheme =
  | { readonly type: "apiKey"; readonly in: "header"; readonly name: string; readonly description: string }
  | { readonly type: "http"; readonly scheme: "bearer"; readonly description: string };

/** The subset of an OpenAPI 3.1 document that this project uses. */
export interface OpenApiDocument {
  readonly openapi: "3.1.0";
  readonly info: { readonly title: string; readonly version: string; readonly description: string };
  readonly servers: readonly {
    readonly url: string;
    readonly variables: Readonly<Record<string, { readonly default: string; readonly description: string }>>;
  }[];
  readonly paths: Readonly<Record<`/${string}`, PathItem>>;
  readonly components: {
    readonly securitySchemes: Readonly<Record<string, SecurityScheme>>;
    readonly schemas: Readonly<Record<string, JsonSchema>>;
  };
}

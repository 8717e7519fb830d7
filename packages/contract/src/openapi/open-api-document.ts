import type { OperationName } from "../rule-record.ts";

/** A JSON Schema of draft 2020-12, as far as this project writes them. */
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
  /** Schema of the data of each event, by the event's name; an extension, OpenAPI 3.1 has no words for it. */
  readonly "x-event-data": Readonly<Record<string, JsonSchema>>;
}

interface RequestBody {
  readonly required: boolean;
  readonly description: string;
  readonly content: { readonly "application/json": MediaType };
}

interface Response {
  readonly description: string;
  /** By media type; the range of all types stands for a body of any type, which may also be missing. */
  readonly content:
    | { readonly "text/event-stream": EventStream }
    | { readonly "application/json": MediaType }
    | { readonly "*/*": MediaType };
}

interface Operation {
  readonly operationId: string;
  /** Which operation of its interface it is; an extension. Absent where the interface has one operation only. */
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

/** An OpenAPI 3.1 document, as far as this project writes them. */
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

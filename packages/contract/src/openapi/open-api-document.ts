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
  readonly maxProperties?: number;
  readonly pattern?: string;
  readonly examples?: readonly (string | number | boolean)[];
  readonly discriminator?: { readonly propertyName: string; readonly mapping: Readonly<Record<string, string>> };
}

type JsonType = "string" | "integer" | "number" | "boolean" | "array" | "object" | "null";

interface Parameter {
  readonly name: string;
  readonly in: "query" | "header";
  readonly required: boolean;
  readonly description: string;
  readonly schema: JsonSchema;
}

interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly security: readonly Readonly<Record<string, readonly string[]>>[];
  readonly parameters: readonly Parameter[];
  readonly responses: Readonly<Record<string, { readonly description: string; readonly content: EventStreamContent }>>;
}

interface EventStreamContent {
  readonly "text/event-stream": {
    readonly schema: JsonSchema;
    /** Schema of the data of each event, by the event's name; an extension, OpenAPI 3.1 has no words for it. */
    readonly "x-event-data": Readonly<Record<string, JsonSchema>>;
  };
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
  readonly paths: Readonly<Record<`/${string}`, { readonly get: Operation }>>;
  readonly components: {
    readonly securitySchemes: Readonly<Record<string, SecurityScheme>>;
    readonly schemas: Readonly<Record<string, JsonSchema>>;
  };
}

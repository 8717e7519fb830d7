import { isRecord, member } from "@assay/reading";
import { removeMember, toOtherType, recordDraft, applySplicesToChunks, replaceValue } from "@assay/evidence";
import type { JsonText, RecordedExchange, Splice } from "@assay/evidence";
import type { JsonSchema, RuleId } from "@assay/contract";
import type { ApiDescription } from "@assay/openapi";
import type { ReferenceResponse } from "../conversation/engine/reference-response.ts";
import type { EditableEvent, ProofEvidence, EditableSearch } from "./proof-evidence.ts";

/**
 * Recorded evidence, edited as a target that ignores a requirement would have sent it. One site is edited; everything
 * else is unchanged.
 */
export interface Edit {
  /** Describes the effect, as one clause in the past tense: "left `matchCount` out of a `progress` event". */
  readonly effect: string;
  /** Exchanges that replace those with the same ids. The first one contains the edit. */
  readonly replacements: readonly [RecordedExchange, ...RecordedExchange[]];
  /** The changed responses to requests for the OpenAPI document, and the changed content of the document. */
  readonly reference?: readonly ReferenceResponse[];
  readonly api?: ApiDescription;
  /** Offset of the first changed byte in the body of the first exchange. */
  readonly offset?: number;
}

/** One way to ignore the requirements of a rule, with edits that show it. */
export interface Mutation {
  /** Describes a target with this mutation, as one clause in the present tense: "leaves out `matchCount`". Unique within its rule. */
  readonly name: string;
  /** The evidence that the mutation needs, as one clause: "a search with `cm=true` that finds lines around a match". */
  readonly needs: string;
  /**
   * Whether the responses of a conforming target may contain nothing that this mutation can edit. The rule then passes
   * without it.
   */
  readonly isOptional?: true;
  /**
   * Whether the mutation removes observations instead of adding a violation. It is detected if the rule then has fewer
   * observations, or none with `all`.
   */
  readonly removesObservations?: true | "all";
  /** Edits in a fixed order, the cheapest first. They are lazy, because most are never needed. */
  readonly edits: (evidence: ProofEvidence) => Iterable<Edit>;
}

/** Mutations by rule id. */
export type MutationsByRule = Readonly<Partial<Record<RuleId, readonly Mutation[]>>>;

/** Returns the exchange with an edited body. The splices must not overlap. */
export const withEditedBody = (exchange: RecordedExchange, splices: readonly Splice[]): RecordedExchange =>
  withChunks(exchange, applySplicesToChunks(exchange.chunks(), splices));

/** Returns the exchange with different chunks as its body, if it has a response. */
export function withChunks(
  exchange: RecordedExchange,
  chunks: ReturnType<typeof applySplicesToChunks>,
): RecordedExchange {
  const { response, ...recordWithoutResponse } = exchange.record;
  return response === undefined
    ? exchange
    : recordDraft({
        ...recordWithoutResponse,
        response: { status: response.status, headers: response.headers, chunks },
      });
}

/** Returns the exchange with a different response status and the same body. */
export const withStatus = (exchange: RecordedExchange, status: number): RecordedExchange => {
  const { record } = exchange;
  return record.response === undefined
    ? exchange
    : { ...exchange, record: { ...record, response: { ...record.response, status } } };
};

/** Returns the exchange with the response of another exchange, shifted to its own time. */
export function withResponseOf({ record }: RecordedExchange, other: RecordedExchange): RecordedExchange {
  const shiftMicros = record.times.sentAtMicros - other.record.times.sentAtMicros;
  const { response, end, times } = other.record;
  const { headersAtMicros, endedAtMicros } = times;
  const shiftedTimes = {
    ...record.times,
    ...(headersAtMicros === undefined ? {} : { headersAtMicros: headersAtMicros + shiftMicros }),
    endedAtMicros: endedAtMicros + shiftMicros,
  };
  const { response: _, ...request } = record;
  const head = { ...request, end, times: shiftedTimes };
  return response === undefined
    ? { record: head, chunks: other.chunks }
    : recordDraft({
        ...head,
        response: {
          status: response.status,
          headers: response.headers,
          chunks: Array.from(other.chunks(), ({ bytes, atMicros }) => ({ bytes, atMicros: atMicros + shiftMicros })),
        },
      });
}

/** Yields one edit of a body, or nothing if a splice is undefined. */
export function* editBody(
  exchange: RecordedExchange,
  effect: string,
  splices: readonly (Splice | undefined)[],
): Iterable<Edit> {
  const [first, ...more] = splices;
  if (first !== undefined && more.every((splice) => splice !== undefined)) {
    const definedSplices = [first, ...more];
    const offset = Math.min(...definedSplices.map((splice) => splice.offset));
    yield { effect, replacements: [withEditedBody(exchange, definedSplices)], offset };
  }
}

/** Returns the first, middle and last item of a list. A short list contains each of its items once. */
export function firstMiddleAndLast<Item>(items: readonly Item[]): readonly Item[] {
  const indexes = new Set([0, Math.floor((items.length - 1) / 2), items.length - 1]);
  return items.filter((_, index) => indexes.has(index));
}

/** A value in the target's JSON that can be edited. */
export interface Site {
  readonly exchange: RecordedExchange;
  readonly json: JsonText;
  /** JSON pointer from the root of the JSON text. */
  readonly pointer: string;
  readonly value: unknown;
}

/** Returns the splice for a site, or undefined if it does not apply. */
export type SpliceAt = (site: Site) => Splice | undefined;

/** Adds edits to a mutation, for evidence in which its own edits find nothing to change. */
export const withFallback = (mutation: Mutation, fallback: Pick<Mutation, "edits">): Mutation => ({
  ...mutation,
  *edits(evidence) {
    yield* mutation.edits(evidence);
    yield* fallback.edits(evidence);
  },
});

/**
 * Yields one edit for each exchange and then one for all of them, because a target that ignores a requirement does so
 * every time.
 */
export function* editEachAndAll(effect: string, editedExchanges: readonly RecordedExchange[]): Iterable<Edit> {
  const [first, ...more] = editedExchanges;
  if (first !== undefined) {
    for (const exchange of editedExchanges) {
      yield { effect, replacements: [exchange] };
    }
    yield { effect, replacements: [first, ...more] };
  }
}

/** Yields one edit for each site. */
export const siteEdits = (
  effect: string,
  splice: SpliceAt,
  sites: (evidence: ProofEvidence) => Iterable<Site>,
): Pick<Mutation, "edits"> => ({
  *edits(evidence) {
    for (const site of sites(evidence)) {
      yield* editBody(site.exchange, effect, [splice(site)]);
    }
  },
});

/** Creates a mutation with one edit for each site. */
export const siteMutation = (
  { effect, splice, ...mutation }: Omit<Mutation, "edits"> & { readonly effect: string; readonly splice: SpliceAt },
  sites: (evidence: ProofEvidence) => Iterable<Site>,
): Mutation => ({ ...mutation, ...siteEdits(effect, splice, sites) });

/**
 * Returns the sites in the events with one name, of every search. `valuesIn` returns the values in an event. Default:
 * the complete data.
 */
export const eventSites = (
  name: string,
  valuesIn: (value: unknown) => Iterable<readonly [pointer: string, value: unknown]> = (value) => [["", value]],
) =>
  function* sites({ searches }: ProofEvidence): Iterable<Site> {
    for (const { exchange, events } of searches) {
      for (const { event, data } of firstMiddleAndLast(events().filter((candidate) => candidate.event.name === name))) {
        for (const [pointer, value] of firstMiddleAndLast([...valuesIn(event.value)])) {
          yield { exchange, json: data, pointer, value };
        }
      }
    }
  };

/** Returns the elements of an array with their pointers. */
export const elementsWithPointers = (
  value: unknown,
  pointer = "",
): readonly (readonly [pointer: string, value: unknown])[] =>
  Array.isArray(value) ? value.map((element: unknown, index) => [`${pointer}/${index}`, element] as const) : [];

/**
 * Returns the chunk matches of a match with their pointers. They are recognized by their `context`, under any member
 * name.
 */
export const findChunkMatches = (
  match: unknown,
  pointer: string,
): readonly (readonly [pointer: string, chunk: unknown])[] =>
  isRecord(match)
    ? Object.keys(match).flatMap((name) =>
        elementsWithPointers(match[name], `${pointer}/${name}`).filter(
          ([, chunk]) => name === "chunkMatches" || typeof member(chunk, "context") === "string",
        ),
      )
    : [];

/** Creates a mutation with one edit for each selected event. */
export const eventMutation = (
  mutation: Omit<Mutation, "edits"> & {
    readonly effect: string;
    readonly splices: (event: EditableEvent, search: EditableSearch, index: number) => readonly (Splice | undefined)[];
  },
  isSelected: (event: EditableEvent, index: number, events: readonly EditableEvent[]) => boolean,
): Mutation => {
  const { effect, splices, ...fields } = mutation;
  return {
    ...fields,
    *edits({ searches }) {
      for (const search of searches) {
        const selectedEvents = search
          .events()
          .flatMap((event, index, allEvents) => (isSelected(event, index, allEvents) ? [{ event, index }] : []));
        for (const { event, index } of firstMiddleAndLast(selectedEvents)) {
          yield* editBody(search.exchange, effect, splices(event, search, index));
        }
      }
    },
  };
};

interface SchemaMutationOptions {
  readonly schema: JsonSchema;
  readonly sites: (evidence: ProofEvidence) => Iterable<Site>;
  /** Name of the object, such as `a progress`, for messages. */
  readonly objectName: string;
  readonly needs: string;
  /** Members to skip because another rule covers them. */
  readonly ignoredMembers?: readonly string[];
}

const hasType = ({ type, const: constant, $ref }: JsonSchema): boolean => (type ?? constant ?? $ref) !== undefined;

/**
 * Creates the mutations of a schema: each required member is removed, and each typed member is sent with a different
 * type. Mutations of optional members are optional.
 */
export function schemaMutations({
  schema,
  sites,
  objectName,
  needs,
  ignoredMembers = [],
}: SchemaMutationOptions): readonly Mutation[] {
  const { required = [], properties = {} } = schema;
  const isIncluded = (name: string): boolean => !ignoredMembers.includes(name);
  const removals = required.filter(isIncluded).map((name) =>
    siteMutation(
      {
        name: `leaves \`${name}\` out of ${objectName}`,
        needs,
        effect: `left \`${name}\` out of ${objectName}`,
        splice: ({ json, pointer }) => removeMember(json, `${pointer}/${name}`),
      },
      sites,
    ),
  );
  const typedNames = Object.entries(properties).flatMap(([name, inner]) =>
    isIncluded(name) && hasType(inner) ? [name] : [],
  );
  const typeChanges = typedNames.map((name) =>
    siteMutation(
      {
        name: `sends \`${name}\` of ${objectName} in another type`,
        ...(required.includes(name) ? { needs } : { needs: `${objectName} with \`${name}\``, isOptional: true }),
        effect: `sent \`${name}\` of ${objectName} in another type`,
        splice: ({ json, pointer, value }) =>
          replaceValue(json, `${pointer}/${name}`, toOtherType(member(value, name))),
      },
      sites,
    ),
  );
  return [...removals, ...typeChanges];
}

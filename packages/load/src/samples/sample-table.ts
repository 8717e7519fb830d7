import { defined, loadSides } from "@assay/contract";
import type { LoadSample, StreamSample } from "@assay/results";
import { loadOutcomes, streamEnds } from "@assay/results";

type ColumnArray = Float64Array | Uint32Array | Int32Array | Uint8Array;

const initialCapacity = 1024;

/** One member of all samples. Takes 1 to 8 bytes per sample, where an object takes dozens. */
interface Column {
  readonly push: (value: number) => void;
  readonly at: (index: number) => number;
}

const createColumn = (createArray: (capacity: number) => ColumnArray): Column => {
  let values = createArray(initialCapacity);
  let size = 0;
  return {
    push: (value) => {
      if (size === values.length) {
        const largerArray = createArray(size * 2);
        largerArray.set(values);
        values = largerArray;
      }
      values[size] = value;
      size += 1;
    },
    at: (index) => values[index] ?? Number.NaN,
  };
};

/** Any number. NaN means absent. */
const createDoubleColumn = (): Column => createColumn((capacity) => new Float64Array(capacity));
/** Integers from 0 to 2^32 - 1. The caller caps larger values. */
const createCountColumn = (): Column => createColumn((capacity) => new Uint32Array(capacity));
/** Integers of at least -1. -1 means absent. */
const createIndexColumn = (): Column => createColumn((capacity) => new Int32Array(capacity));
/** Integers from 0 to 255. */
const createByteColumn = (): Column => createColumn((capacity) => new Uint8Array(capacity));

/** Interned names, numbered in order of first use. */
interface NameList {
  readonly indexOf: (name: string) => number;
  readonly at: (index: number) => string;
  readonly size: () => number;
}

const createNameList = (): NameList => {
  const names: string[] = [];
  const indexByName = new Map<string, number>();
  return {
    indexOf: (name) => {
      const index = indexByName.get(name) ?? names.length;
      if (index === names.length) {
        // A slice of the line would keep the whole chunk of the file in memory.
        const detachedName = Buffer.from(name).toString();
        names.push(detachedName);
        indexByName.set(detachedName, index);
      }
      return index;
    },
    at: (index) => names[index] ?? "",
    size: () => names.length,
  };
};

const phases = ["warmup", "measure"] as const;
const kinds = ["stream", "create", "poll", "delete", "conversation"] as const;
const maxCount = 2 ** 32 - 1;

/** Samples stored in columns, at about 110 bytes each. Iteration creates one object at a time. */
export interface SampleTable extends Iterable<LoadSample> {
  readonly size: number;
  /** Returns the sample at an index, or undefined beyond the end. */
  readonly at: (index: number) => LoadSample | undefined;
}

/** A table under construction. `add` returns false if the table is full. */
export interface SampleTableBuilder {
  readonly add: (sample: LoadSample) => boolean;
  readonly table: () => SampleTable;
}

interface Columns {
  readonly names: NameList;
  readonly kind: Column;
  readonly phase: Column;
  readonly side: Column;
  readonly outcome: Column;
  /** The index in `streamEnds` plus 1. 0 means none. */
  readonly ended: Column;
  readonly flow: Column;
  readonly query: Column;
  /** The state of a conversation. 0 means none. */
  readonly state: Column;
  readonly status: Column;
  readonly block: Column;
  readonly pair: Column;
  readonly planMs: Column;
  readonly sendMs: Column;
  readonly endMs: Column;
  readonly headersMs: Column;
  readonly firstEventMs: Column;
  /** `lastOpenMs` for conversations. */
  readonly firstMatchMs: Column;
  /** `polls` for conversations. */
  readonly events: Column;
  readonly matches: Column;
  readonly bytes: Column;
  readonly codes: Map<number, Readonly<Record<string, number>>>;
}

const createColumns = (): Columns => {
  const names = createNameList();
  names.indexOf("");
  return {
    names,
    kind: createByteColumn(),
    phase: createByteColumn(),
    side: createByteColumn(),
    outcome: createByteColumn(),
    ended: createByteColumn(),
    flow: createCountColumn(),
    query: createCountColumn(),
    state: createCountColumn(),
    status: createCountColumn(),
    block: createIndexColumn(),
    pair: createIndexColumn(),
    planMs: createDoubleColumn(),
    sendMs: createDoubleColumn(),
    endMs: createDoubleColumn(),
    headersMs: createDoubleColumn(),
    firstEventMs: createDoubleColumn(),
    firstMatchMs: createDoubleColumn(),
    events: createCountColumn(),
    matches: createCountColumn(),
    bytes: createDoubleColumn(),
    codes: new Map(),
  };
};

const addCommonMembers = (columns: Columns, sample: LoadSample): void => {
  const kind = sample.kind === "call" ? sample.operation : sample.kind;
  columns.kind.push(kinds.indexOf(kind));
  columns.phase.push(phases.indexOf(sample.phase));
  columns.side.push(loadSides.indexOf(sample.side));
  columns.outcome.push(loadOutcomes.indexOf(sample.outcome));
  columns.flow.push(columns.names.indexOf(sample.flow));
  columns.query.push(columns.names.indexOf(sample.query));
  columns.status.push(sample.status ?? 0);
  columns.block.push(sample.block ?? -1);
  columns.pair.push(sample.pair ?? -1);
  columns.planMs.push(sample.planMs);
  columns.sendMs.push(sample.sendMs);
  columns.endMs.push(sample.endMs);
};

/** The stream members of samples that are not streams. */
const emptyStream = { events: 0, matches: 0, bytes: 0 } as const satisfies Partial<StreamSample>;

const addStream = (columns: Columns, stream: Partial<StreamSample>): void => {
  columns.ended.push(stream.ended === undefined ? 0 : streamEnds.indexOf(stream.ended) + 1);
  columns.headersMs.push(stream.headersMs ?? Number.NaN);
  columns.firstEventMs.push(stream.firstEventMs ?? Number.NaN);
  columns.matches.push(Math.min(maxCount, stream.matches ?? 0));
  columns.bytes.push(stream.bytes ?? 0);
};

const addKindMembers = (columns: Columns, sample: LoadSample): void => {
  addStream(columns, sample.kind === "stream" ? sample : emptyStream);
  if (sample.kind === "conversation") {
    columns.state.push(columns.names.indexOf(sample.state ?? ""));
    columns.firstMatchMs.push(sample.lastOpenMs ?? Number.NaN);
    columns.events.push(Math.min(maxCount, sample.polls));
  } else {
    columns.state.push(0);
    columns.firstMatchMs.push(sample.kind === "stream" ? (sample.firstMatchMs ?? Number.NaN) : Number.NaN);
    columns.events.push(sample.kind === "stream" ? Math.min(maxCount, sample.events) : 0);
  }
};

const optionalMember = <K extends string>(name: K, value: number, isPresent: boolean): Partial<Record<K, number>> => {
  const member: Partial<Record<K, number>> = {};
  if (isPresent) {
    member[name] = value;
  }
  return member;
};

type CommonMembers = Omit<Extract<LoadSample, { kind: "call" }>, "kind" | "operation">;

const readCommonMembers = (columns: Columns, index: number): CommonMembers => {
  const codes = columns.codes.get(index);
  const block = columns.block.at(index);
  const pair = columns.pair.at(index);
  const status = columns.status.at(index);
  return {
    flow: columns.names.at(columns.flow.at(index)),
    phase: phases[columns.phase.at(index)] ?? "warmup",
    side: loadSides[columns.side.at(index)] ?? "base",
    ...optionalMember("block", block, block >= 0),
    ...optionalMember("pair", pair, pair >= 0),
    query: columns.names.at(columns.query.at(index)),
    planMs: columns.planMs.at(index),
    sendMs: columns.sendMs.at(index),
    endMs: columns.endMs.at(index),
    outcome: loadOutcomes[columns.outcome.at(index)] ?? "canceled",
    ...optionalMember("status", status, status > 0),
    ...defined({ codes }),
  };
};

const readStream = (columns: Columns, index: number): LoadSample => {
  const headersMs = columns.headersMs.at(index);
  const firstEventMs = columns.firstEventMs.at(index);
  const firstMatchMs = columns.firstMatchMs.at(index);
  const ended = streamEnds[columns.ended.at(index) - 1];
  return {
    kind: "stream",
    ...readCommonMembers(columns, index),
    ...defined({ ended }),
    ...optionalMember("headersMs", headersMs, !Number.isNaN(headersMs)),
    ...optionalMember("firstEventMs", firstEventMs, !Number.isNaN(firstEventMs)),
    ...optionalMember("firstMatchMs", firstMatchMs, !Number.isNaN(firstMatchMs)),
    events: columns.events.at(index),
    matches: columns.matches.at(index),
    bytes: columns.bytes.at(index),
  };
};

const readConversation = (columns: Columns, index: number): LoadSample => {
  const state = columns.names.at(columns.state.at(index));
  const lastOpenMs = columns.firstMatchMs.at(index);
  return {
    kind: "conversation",
    ...readCommonMembers(columns, index),
    ...(state === "" ? {} : { state }),
    ...optionalMember("lastOpenMs", lastOpenMs, !Number.isNaN(lastOpenMs)),
    polls: columns.events.at(index),
  };
};

const readSample = (columns: Columns, index: number): LoadSample => {
  const kind = kinds[columns.kind.at(index)] ?? "stream";
  if (kind === "stream") {
    return readStream(columns, index);
  }
  return kind === "conversation"
    ? readConversation(columns, index)
    : { kind: "call", operation: kind, ...readCommonMembers(columns, index) };
};

/** The limits of a table. */
export interface SampleTableLimits {
  readonly maxSamples: number;
  /** The maximum number of distinct names of flows, queries and states together. */
  readonly maxNames: number;
}

const defaultLimits: SampleTableLimits = { maxSamples: 5_000_000, maxNames: 100_000 };

export const createSampleTable = (limits: SampleTableLimits = defaultLimits): SampleTableBuilder => {
  const columns = createColumns();
  let size = 0;
  const at = (index: number): LoadSample | undefined =>
    index >= 0 && index < size ? readSample(columns, index) : undefined;
  return {
    add: (sample) => {
      if (size >= limits.maxSamples || columns.names.size() >= limits.maxNames) {
        return false;
      }
      addCommonMembers(columns, sample);
      addKindMembers(columns, sample);
      if (sample.codes !== undefined) {
        columns.codes.set(size, sample.codes);
      }
      size += 1;
      return true;
    },
    table: () => ({
      size,
      at,
      *[Symbol.iterator]() {
        for (let index = 0; index < size; index += 1) {
          yield readSample(columns, index);
        }
      },
    }),
  };
};

export const buildSampleTable = (samples: Iterable<LoadSample>): SampleTable => {
  const builder = createSampleTable();
  for (const sample of samples) {
    builder.add(sample);
  }
  return builder.table();
};

type ColumnArray = Float64Array | Uint32Array | Int32Array | Uint8Array;

const firstRoom = 1024;

/** Numbers of one member of all samples, side by side: 1 to 8 bytes each instead of an object's dozens. */
export interface Column {
  readonly push: (value: number) => void;
  readonly at: (index: number) => number;
}

const growable = (make: (room: number) => ColumnArray): Column => {
  let values = make(firstRoom);
  let size = 0;
  return {
    push: (value) => {
      if (size === values.length) {
        const wider = make(size * 2);
        wider.set(values);
        values = wider;
      }
      values[size] = value;
      size += 1;
    },
    at: (index) => values[index] ?? Number.NaN,
  };
};

/** Any number; NaN stands for an absent one. */
export const doubles = (): Column => growable((room) => new Float64Array(room));
/** Whole numbers from 0 to 2^32 - 1; larger ones must be cut before. */
export const counts = (): Column => growable((room) => new Uint32Array(room));
/** Whole numbers from -1, which stands for an absent one. */
export const indexes = (): Column => growable((room) => new Int32Array(room));
/** Whole numbers from 0 to 255. */
export const bytes = (): Column => growable((room) => new Uint8Array(room));

/** Names as small numbers, in the order in which they were met. */
export interface NameList {
  readonly indexOf: (name: string) => number;
  readonly at: (index: number) => string;
  readonly size: () => number;
}

/** An empty list of names. */
export const createNameList = (): NameList => {
  const names: string[] = [];
  const known = new Map<string, number>();
  return {
    indexOf: (name) => {
      const index = known.get(name) ?? names.length;
      if (index === names.length) {
        // A slice of the line would keep the whole chunk of the file in memory.
        const own = Buffer.from(name).toString();
        names.push(own);
        known.set(own, index);
      }
      return index;
    },
    at: (index) => names[index] ?? "",
    size: () => names.length,
  };
};

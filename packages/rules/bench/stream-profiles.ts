/** What distinguishes the streams of a profile. */
export interface StreamProfile {
  readonly matchesPerEvent: readonly [from: number, to: number];
  /** Lines, or chunks, of a usual match and of one match in five. */
  readonly linesPerMatch: readonly [usual: number, long: number];
  /** Matches of every fortieth `matches` event, where it is an exceptional one. */
  readonly bigEventMatches?: number;
  /** Share of code lines that hold text outside ASCII. */
  readonly nonAsciiShare: number;
  /** Whether `<`, `>` and `&` are written as `\u003c` and so on, as encoders that write for web pages do. */
  readonly escapesMarkup: boolean;
  /** Bytes of a usual run and of a full one. */
  readonly defaultBytes: number;
  readonly fullBytes: number;
}

export const mebibyte = 2 ** 20;

const typical: StreamProfile = {
  matchesPerEvent: [1, 100],
  linesPerMatch: [6, 30],
  nonAsciiShare: 0,
  escapesMarkup: false,
  defaultBytes: 64 * mebibyte,
  fullBytes: 256 * mebibyte,
};

/** The five kinds of streams that speed is measured with. */
export const streamProfiles = {
  typical,
  small: {
    ...typical,
    matchesPerEvent: [1, 1],
    linesPerMatch: [2, 2],
    fullBytes: 64 * mebibyte,
  },
  big: { ...typical, bigEventMatches: 2100 },
  esc: { ...typical, escapesMarkup: true, fullBytes: 128 * mebibyte },
  uni: { ...typical, nonAsciiShare: 1 / 3, fullBytes: 128 * mebibyte },
} as const satisfies Record<string, StreamProfile>;

export type ProfileName = keyof typeof streamProfiles;

export const profileNames: readonly ProfileName[] = ["typical", "small", "big", "esc", "uni"];

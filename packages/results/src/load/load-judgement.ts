/** What became of the exchanges of one kind. The counts below `sent` add up to it, but for what was under way when k6 was killed. */
export interface JudgedGroup {
  readonly group: "search" | "conversation";
  readonly sent: number;
  /** Judged by all rules that need one exchange, or the history of one conversation. */
  readonly judged: number;
  /** Left out at random, because the files were full; what was judged is a fair sample. */
  readonly thinnedOut: number;
  /** Not kept, because the recorder could not keep up. */
  readonly lost: number;
}

/** Whether a rule that is violated under load is violated without it. */
export type LoadDependence = "under-load" | "without-load-too" | "unknown";

/** A rule that exchanges of the load violate. */
export interface BrokenRule {
  readonly rule: string;
  readonly title: string;
  /** Violations in what was judged. */
  readonly violations: number;
  readonly message: string;
  /** The first that was kept: its id, and when it began in seconds of the run. */
  readonly exchange: string;
  readonly atSeconds: number;
  readonly phase: "warmup" | "measure";
  readonly query: string;
  /** Requests on their way then, and those that began in the second before. */
  readonly inFlight: number;
  readonly ratePerSecond: number;
  readonly dependence: LoadDependence;
}

/** What all rules say of the exchanges of a load. */
export interface LoadJudgement {
  readonly groups: readonly JudgedGroup[];
  /** Numbers of rules. Those about several searches at once, or about both interfaces, are left to the judges beside the load. */
  readonly rules: {
    readonly held: number;
    /** Of those that hold, how many would have failed on a sample of the exchanges, had the target ignored their sentences. */
    readonly proven?: number;
    readonly broken: number;
    readonly notObserved: number;
    readonly notJudged: number;
  };
  readonly broken: readonly BrokenRule[];
  /** Searches judged before and after the load, to tell what only breaks under it. */
  readonly unloaded: number;
  /** One sentence: how many of all were judged. */
  readonly sentence: string;
  /** Of the files, and what they may hold. */
  readonly keptBytes: number;
  readonly capBytes: number;
  /** Why not everything could be kept or read, sentences. */
  readonly problems: readonly string[];
}

const number = new Intl.NumberFormat("en-GB");
const share = (part: number, whole: number): string => `${Math.round((part / whole) * 1000) / 10} %`;

/** The sentence of a judgement: how many of all exchanges were judged, and why not the others. */
export function judgementSentence(groups: readonly JudgedGroup[]): string {
  const sum = (of: (group: JudgedGroup) => number): number => groups.reduce((total, group) => total + of(group), 0);
  const [sent, judged] = [sum((group) => group.sent), sum((group) => group.judged)];
  const [thinnedOut, lost] = [sum((group) => group.thinnedOut), sum((group) => group.lost)];
  const all = `${number.format(judged)} of ${number.format(sent)} exchanges were judged by all rules`;
  if (judged >= sent || sent === 0) {
    return all;
  }
  const why = [
    ...(thinnedOut > 0 ? [`${number.format(thinnedOut)} were left out at random because the files were full`] : []),
    ...(lost > 0 ? [`${number.format(lost)} were not kept because the recorder could not keep up`] : []),
    ...(sent - judged > thinnedOut + lost
      ? [`${number.format(sent - judged - thinnedOut - lost)} are not on the disk`]
      : []),
  ];
  return `${all} (${share(judged, sent)}); ${why.join(", ")}`;
}

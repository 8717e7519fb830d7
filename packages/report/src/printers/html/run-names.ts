/** What a run is called by on a page of several. */
interface NamedRun {
  /** What somebody called it, such as the name of its folder. */
  readonly name?: string | undefined;
  readonly id: string;
  readonly target: string;
}

type Names = readonly (string | undefined)[];

const isTold = (names: Names): names is readonly string[] =>
  names.every((name) => name !== undefined && name !== "") && new Set(names).size === names.length;

/** Only what somebody chose tells anything: an address in numbers, or that of the machine itself, does not. */
const hostOf = (target: string): string | undefined => {
  const { hostname } = URL.canParse(target) ? new URL(target) : { hostname: "" };
  return /[g-z]/u.test(hostname) && hostname !== "localhost" ? hostname : undefined;
};

/** Hosts without the labels at their end that all of them share; each keeps one. */
const shortHosts = (hosts: Names): Names => {
  const labels = hosts.map((host) => host?.split(".") ?? []);
  const [first = []] = labels;
  const most = Math.min(...labels.map(({ length }) => length)) - 1;
  let shared = 0;
  while (shared < most && labels.every((one) => one.at(-1 - shared) === first.at(-1 - shared))) {
    shared += 1;
  }
  return labels.map((one) => one.slice(0, one.length - shared).join("."));
};

/** What tells ids of one form apart: the part behind their time. */
const tailOf = (id: string): string => /-(?<tail>[0-9a-f]{4,})$/u.exec(id)?.groups?.["tail"] ?? id;

/** What each load is called on a page: as the terminal calls it, by its id; of two with one id each has its number too. */
export const loadNames = (ids: readonly string[]): readonly string[] =>
  new Set(ids).size === ids.length ? ids : ids.map((id, index) => `${index + 1}: ${id}`);

/**
 * Short names of runs in their order, each another: what somebody called them, else the hosts of their targets without what all
 * of them share, else the ends of their ids. Not escaped.
 */
export const runNames = (runs: readonly NamedRun[]): readonly string[] => {
  if (runs.length === 0) {
    return [];
  }
  const hosts = runs.some(({ name }) => name !== undefined)
    ? []
    : [shortHosts(runs.map(({ target }) => hostOf(target)))];
  const choices = [...hosts, runs.map(({ name, id }) => name ?? tailOf(id)), runs.map(({ name, id }) => name ?? id)];
  return choices.find(isTold) ?? runs.map(({ id }, index) => `${index + 1}: ${id}`);
};

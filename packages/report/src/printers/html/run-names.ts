/** The facts from which the name of a run is derived. */
interface NamedRun {
  /** Name from the user, such as its folder. */
  readonly name?: string | undefined;
  readonly id: string;
  readonly target: string;
}

type Names = readonly (string | undefined)[];

const areUnique = (names: Names): names is readonly string[] =>
  names.every((name) => name !== undefined && name !== "") && new Set(names).size === names.length;

/** Returns the host name of a target, or undefined for IP addresses and localhost, which do not identify it. */
const findIdentifyingHost = (target: string): string | undefined => {
  const { hostname } = URL.canParse(target) ? new URL(target) : { hostname: "" };
  return /[g-z]/u.test(hostname) && hostname !== "localhost" ? hostname : undefined;
};

/** Removes the common trailing labels of hosts. Each keeps at least one label. */
const shortenHosts = (hosts: Names): Names => {
  const labels = hosts.map((host) => host?.split(".") ?? []);
  const [firstLabels = []] = labels;
  const maxShared = Math.min(...labels.map(({ length }) => length)) - 1;
  let sharedCount = 0;
  while (
    sharedCount < maxShared &&
    labels.every((hostLabels) => hostLabels.at(-1 - sharedCount) === firstLabels.at(-1 - sharedCount))
  ) {
    sharedCount += 1;
  }
  return labels.map((hostLabels) => hostLabels.slice(0, hostLabels.length - sharedCount).join("."));
};

/** Returns the part of a run id after its time. */
const getRunIdSuffix = (id: string): string => /-(?<tail>[0-9a-f]{4,})$/u.exec(id)?.groups?.["tail"] ?? id;

/** Returns the names of loads: their ids, with a number if ids are not unique. */
export const createLoadNames = (ids: readonly string[]): readonly string[] =>
  new Set(ids).size === ids.length ? ids : ids.map((id, index) => `${index + 1}: ${id}`);

/**
 * Returns short, unique names of runs, in order: the names from the user, or the hosts of their targets without common labels, or the ends
 * of their ids. Not escaped.
 */
export const runNames = (runs: readonly NamedRun[]): readonly string[] => {
  if (runs.length === 0) {
    return [];
  }
  const hosts = runs.some(({ name }) => name !== undefined)
    ? []
    : [shortenHosts(runs.map(({ target }) => findIdentifyingHost(target)))];
  const candidates = [
    ...hosts,
    runs.map(({ name, id }) => name ?? getRunIdSuffix(id)),
    runs.map(({ name, id }) => name ?? id),
  ];
  return candidates.find(areUnique) ?? runs.map(({ id }, index) => `${index + 1}: ${id}`);
};

import type { Repository } from "../repositories/repository.ts";
import { hash32, seededHexDigits, seededRandom } from "../seeded-random.ts";
import { changeElements } from "./event-transforms.ts";
import { type Fault, legal } from "./fault.ts";
import type { FaultRun } from "./fault-run.ts";

/** States of the index besides the one of the repositories themselves. */
const otherStates = 3;

const seedOf = ({ values }: FaultRun): number => Number(values["seed"]);

/** Which of the states a search meets that is the so-many-th of the server, by what happens to the index. */
const stateFor: Readonly<Record<string, (run: FaultRun, ticket: number) => number>> = {
  // A balancer passes each search to some replica; most are up to date.
  replicas: (run, ticket) => Math.max(0, Math.floor(seededRandom(seedOf(run), `replica/${ticket}`)() * 5) - 1),
  // One that passes equal searches to the same replica.
  affinity: (run) => hash32(`${seedOf(run)}/${run.given.toString()}`) % (otherStates + 1),
  // It grows and shrinks, after some ten searches each time.
  moves: (run, ticket) => {
    const step = 4 + (hash32(`${seedOf(run)}/step`) % 12);
    return hash32(`${seedOf(run)}/${Math.floor(ticket / step)}`) % (otherStates + 1);
  },
  // It grows and shrinks, and is quiet after some eighty searches: then it is what the repositories are.
  settles: (run, ticket) => (ticket < 80 ? (stateFor["moves"]?.(run, ticket) ?? 0) : 0),
  fixed: (run) => seedOf(run) % (otherStates + 1),
};

const met = new WeakMap<FaultRun, number>();

/** The state that this search meets; the same at every layer. */
function stateOf(run: FaultRun): number {
  const state = met.get(run) ?? stateFor[String(run.values["how"])]?.(run, run.ticket()) ?? 0;
  met.set(run, state);
  return state;
}

/** A repository as it was in that state: some are not there yet, of the others some files are not; 0 is what there is. */
function repositoriesIn(repositories: readonly Repository[], state: number): readonly Repository[] {
  return repositories
    .filter(({ name }) => state === 0 || hash32(`${state}/${name}`) % 4 !== 0)
    .map((repository) => ({
      ...repository,
      files: repository.files.filter(({ path }) => state === 0 || hash32(`${state}/${path}`) % 3 !== 0),
    }));
}

/** The commit that a repository was at in that state: each state is another one. */
const commitIn = (commit: unknown, state: number): string =>
  seededHexDigits(state, { label: String(commit), digits: 40 });

/**
 * An index whose states differ: no sentence promises that two searches meet the same one. What is found in a state tells the
 * commit of that state.
 */
export const legalIndex: readonly Fault[] = [
  legal("index-in-other-states")(
    "Each search is answered by one of several replicas, or the index grows and shrinks meanwhile: repositories and files are missing, and commits are others.",
    [
      {
        layer: "index",
        apply(repositories, run) {
          const state = stateOf(run);
          if (state > 0) {
            run.applied();
          }
          return repositoriesIn(repositories, state);
        },
      },
      changeElements("matches", (match, run) =>
        stateOf(run) > 0 && match["commit"] !== undefined
          ? { ...match, commit: commitIn(match["commit"], stateOf(run)) }
          : undefined,
      ),
    ],
    {
      how: {
        title: "what happens to the index",
        default: "replicas",
        choices: ["replicas", "affinity", "moves", "settles", "fixed"],
      },
      seed: { title: "decides which search meets which state; for `fixed`, the state", default: 1 },
    },
  ),
];

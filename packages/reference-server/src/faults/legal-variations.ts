import type { Repository } from "../service/repositories/repository.ts";
import { hash32, seededHexDigits, seededRandom } from "../service/seeded-random.ts";
import { afterFinal, changeEach, changeFirst, hasName, replaceFirst, rewriteEach } from "./event-transforms.ts";
import {
  type Fault,
  type FaultEffects,
  type Variants,
  defineLegalVariation,
  selectVariant,
  withSettings,
} from "./fault.ts";
import type { FaultRun } from "./fault-run.ts";
import { withMember, mutateIf } from "./json-mutation.ts";

/** Numbers of newlines missing at the end. */
const lastNewlines: Variants<number> = { "one-missing": 1, "both-missing": 2 };

/** Number of index states in addition to the complete one. */
const otherStates = 3;

/** Returns the index state that a search sees, by the number of the search. 0 is the complete index. */
type StateOf = (search: { readonly number: number; readonly query: string }, seed: number) => number;

// Grows and shrinks, about every ten searches.
const growAndShrink: StateOf = ({ number }, seed) => {
  const step = 4 + (hash32(`${seed}/step`) % 12);
  return hash32(`${seed}/${Math.floor(number / step)}`) % (otherStates + 1);
};

/** Ways in which the index changes over time. */
const indexChanges: Variants<StateOf> = {
  // A load balancer sends each search to a random replica; most replicas are up to date.
  replicas: ({ number }, seed) => Math.max(0, Math.floor(seededRandom(seed, `replica/${number}`)() * 5) - 1),
  // A load balancer that sends equal searches to the same replica.
  affinity: ({ query }, seed) => hash32(`${seed}/${query}`) % (otherStates + 1),
  moves: growAndShrink,
  // Grows and shrinks during the first 80 searches, then remains complete.
  settles: (search, seed) => (search.number < 80 ? growAndShrink(search, seed) : 0),
  fixed: (_search, seed) => seed % (otherStates + 1),
};

/** Returns the repositories in an index state: some are missing, and the others lack some files. */
const selectRepositories = (repositories: readonly Repository[], state: number): readonly Repository[] =>
  state === 0
    ? repositories
    : repositories
        .filter(({ name }) => hash32(`${state}/${name}`) % 4 !== 0)
        .map((repository) => ({
          ...repository,
          files: repository.files.filter(({ path }) => hash32(`${state}/${path}`) % 3 !== 0),
        }));

/** Searches see changing index states, each with its own commit. */
const changeIndex = (stateOf: StateOf, seed: number): FaultEffects => {
  const stateByRun = new WeakMap<FaultRun, number>();
  const getState = (run: FaultRun): number => {
    const state =
      stateByRun.get(run) ?? stateOf({ number: run.nextNumber(), query: run.queryParameters.toString() }, seed);
    stateByRun.set(run, state);
    return state;
  };
  return [
    { layer: "index", apply: (repositories, run) => selectRepositories(repositories, getState(run)) },
    changeEach("matches", (match, run) => {
      const label = String(match["commit"]);
      const state = match["commit"] === undefined ? 0 : getState(run);
      return state > 0 ? { ...match, commit: seededHexDigits(state, { label, digits: 40 }) } : undefined;
    }),
  ];
};

/** Unusual streams that the specification permits. No rule may fail on them. */
export const legalVariations: readonly Fault[] = [
  defineLegalVariation("new-fields")(
    "Every object except that of `done` has an extra field.",
    // The specification does not allow members in the data of `done`.
    changeEach(({ name }) => name !== "done", withMember("addedLater", true)),
  ),
  defineLegalVariation("unlisted-event")(
    "A `notice` event precedes the first `matches` event.",
    replaceFirst(hasName("matches"), (event) => [{ name: "notice", data: { text: "warming up" } }, event]),
  ),
  defineLegalVariation("data-before-event")(
    "The two lines of every event are swapped.",
    rewriteEach((text) => text.replace(/^(event: .*)\n(data: .*)\n\n$/u, "$2\n$1\n\n")),
  ),
  defineLegalVariation("no-space-after-colon")(
    "The fields of every event have no space after their colon.",
    rewriteEach((text) => text.replace(/^event: /u, "event:").replace(/\ndata: /u, "\ndata:")),
  ),
  defineLegalVariation("no-last-separator")(
    "The stream ends before the blank line after `done`, for example with the last character of its data line.",
    selectVariant(lastNewlines, (missingLength) =>
      rewriteEach((text) =>
        /^(?:event: done\n|data: \{\}\nevent: done\n)/u.test(text) ? text.slice(0, -missingLength) : text,
      ),
    ),
  ),
  defineLegalVariation("hunks-array")(
    "The `hunks` of the first content match are an empty array instead of null.",
    changeFirst(
      "matches",
      mutateIf(({ type }) => type === "content", withMember("hunks", [])),
    ),
  ),
  defineLegalVariation("alert-after-final")(
    "An alert follows the final `progress` event and precedes `done`.",
    afterFinal("alert", { title: "Permissions syncing in progress", level: "warning", proposedQueries: null }),
  ),
  defineLegalVariation("error-event")(
    "An `error` event follows the final `progress` event and precedes `done`: part of the search failed.",
    afterFinal("error", { message: "a part of the index could not be searched" }),
  ),
  defineLegalVariation("large-event")(
    "The first match contains many bytes in the field `debug`.",
    withSettings({ bytes: { title: "number of bytes added", default: 16 * 1024 * 1024 } }, ({ bytes }) =>
      // The long member is first, so that a reader that keeps only the beginning loses the match.
      changeFirst("matches", (match) => ({ debug: "x".repeat(bytes), ...match })),
    ),
  ),
  defineLegalVariation("index-in-other-states")(
    "Each search is answered by one of several replicas, or the index grows and shrinks: repositories and files are missing, and commits differ.",
    selectVariant(
      indexChanges,
      (stateOf) =>
        withSettings(
          { seed: { title: "determines the state of each search; for `fixed`, the state itself", default: 1 } },
          ({ seed }) => changeIndex(stateOf, seed),
        ),
      ["how", "the way the index changes"],
    ),
  ),
];

import { type LoadBlocks, type LoadPlan, type LoadQuery, loadShapes, planFromVersion1 } from "@assay/results";
import { isAmount, isCount, type JsonMembers, membersOf } from "../samples/json-members.ts";

const isQuery = (value: unknown): value is LoadQuery => {
  const { name, text } = membersOf(value) ?? {};
  return typeof name === "string" && typeof text === "string";
};

const isBlocks = (value: unknown): value is LoadBlocks => {
  const { pairs, warmupPairs, requestsPerBlock, gapRequests, seed } = membersOf(value) ?? {};
  return [pairs, warmupPairs, requestsPerBlock, gapRequests].every(isCount) && typeof seed === "number";
};

const isConversation = (value: unknown): boolean => {
  const members = membersOf(value) ?? {};
  const { questions, marker, pollers } = members;
  return (
    ["legacy", "current"].some((name) => name === members["interface"]) &&
    ["pollIntervalMs", "deadlineMs", "budget"].every((name) => isAmount(members[name])) &&
    (pollers === undefined || isCount(pollers)) &&
    Array.isArray(questions) &&
    questions.every(isQuery) &&
    typeof marker === "string"
  );
};

const hasTargets = ({ targets }: JsonMembers): boolean => {
  const { base, head } = membersOf(targets) ?? {};
  return typeof base === "string" && (head === undefined || typeof head === "string");
};

const amounts = ["ratePerSecond", "durationMs", "warmupMs", "timeoutMs", "maxEventBytes", "maxVus"] as const;

const hasParts = ({ queries, blocks, conversation }: JsonMembers): boolean =>
  Array.isArray(queries) &&
  queries.every(isQuery) &&
  (blocks === undefined || isBlocks(blocks)) &&
  (conversation === undefined || isConversation(conversation));

/** Checks a value from a file for a plan. */
export const isLoadPlan = (value: unknown): value is LoadPlan => {
  const members = membersOf(value);
  return (
    members !== undefined &&
    members["version"] === 2 &&
    typeof members["scenario"] === "string" &&
    loadShapes.some((shape) => shape === members["shape"]) &&
    amounts.every((name) => isAmount(members[name])) &&
    hasTargets(members) &&
    hasParts(members)
  );
};

/** Reads a stored plan, also of version 1; undefined if it is invalid. */
export const readLoadPlan = (stored: unknown): LoadPlan | undefined => {
  const plan = planFromVersion1(stored);
  return isLoadPlan(plan) ? plan : undefined;
};

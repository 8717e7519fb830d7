import { loadShapes, upgradePlanFromVersion1 } from "@assay/results";
import type { LoadPlan, LoadShape } from "@assay/results";
import type { ScenarioFacts } from "../src/scenario-names.ts";
import { elementsOf, member } from "@assay/reading";
import { PlanError } from "./plan-error.ts";

/** The parts of a plan that a script uses. */
export type PlanUse = Pick<ScenarioFacts, "searches" | "asksQuestions" | "hasBlocks">;

type Check = (value: unknown) => boolean;

const isText: Check = (value) => typeof value === "string";
const isNonNegativeInteger: Check = (value) => typeof value === "number" && Number.isSafeInteger(value) && value >= 0;
const isCount: Check = (value) => isNonNegativeInteger(value) && value !== 0;
const isTime: Check = (value) => typeof value === "number" && Number.isFinite(value) && value > 0;
const isDurationOrZero: Check = (value) => value === 0 || isTime(value);
const isRate: Check = (value) => isTime(value) && Number(value) >= 0.001 && Number(value) <= 1_000_000;
const isUrl: Check = (value) => typeof value === "string" && /^https?:\/\/[^\s/?#]+[^\s?#]*$/u.test(value);
const isShape: Check = (value): value is LoadShape => loadShapes.some((shape) => shape === value);
const isQuery: Check = (value) => {
  const name = member(value, "name");
  return typeof name === "string" && /^[a-z0-9-]{1,40}$/u.test(name) && isText(member(value, "text"));
};
const isQueryList: Check = (value) => Array.isArray(value) && value.every(isQuery);
const isNonEmptyQueryList: Check = (value) => isQueryList(value) && elementsOf(value).length > 0;
const isInterface: Check = (value) => value === "legacy" || value === "current";
/** Long enough that no ordinary text contains it by chance. */
const isMarker: Check = (value) => typeof value === "string" && /^[\w.-]{8,100}$/u.test(value);
const maxPollers = 8;
const isOptionalPollerCount: Check = (value) => value === undefined || (isCount(value) && Number(value) <= maxPollers);
const isOptionalBoolean: Check = (value) => value === undefined || typeof value === "boolean";

type PlanRule = readonly [path: string, check: Check, demand: string];

const demandCount = "must be a whole number from 0 up";
const demandPositive = "must be a number above 0";

const commonRules: readonly PlanRule[] = [
  ["version", (value) => value === 2, "must be 2"],
  ["scenario", isText, "must be the name of a scenario"],
  ["targets.base", isUrl, "must be an http or https address"],
  ["shape", isShape, `must be one of ${loadShapes.join(", ")}`],
  ["ratePerSecond", isRate, "must be from 0.001 to 1000000 arrivals per second"],
  ["durationMs", isTime, demandPositive],
  ["warmupMs", isDurationOrZero, "must be a number from 0 up"],
  ["queries", isQueryList, "must be a list of {name, text}, each name of small letters, digits and hyphens"],
  ["timeoutMs", isTime, demandPositive],
  ["maxEventBytes", isCount, "must be a whole number above 0"],
  ["maxVus", isCount, "must be a whole number above 0"],
  ["gzip", isOptionalBoolean, "must be true or false"],
];

const searchRules: readonly PlanRule[] = [["queries", isNonEmptyQueryList, "needs at least one query"]];

const questionRules: readonly PlanRule[] = [
  ["conversation.interface", isInterface, "must be legacy or current"],
  ["conversation.pollIntervalMs", isTime, demandPositive],
  ["conversation.pollers", isOptionalPollerCount, "must be a whole number from 1 to 8"],
  ["conversation.deadlineMs", isTime, demandPositive],
  ["conversation.questions", isNonEmptyQueryList, "needs at least one question {name, text}"],
  ["conversation.marker", isMarker, "must be a word of 8 to 100 characters"],
  ["conversation.budget", isNonNegativeInteger, demandCount],
];

const blockRules: readonly PlanRule[] = [
  ["targets.head", isUrl, "must be an http or https address when there are blocks"],
  ["blocks.pairs", isCount, "must be a whole number above 0"],
  ["blocks.warmupPairs", isNonNegativeInteger, demandCount],
  ["blocks.requestsPerBlock", isCount, "must be a whole number above 0"],
  ["blocks.gapRequests", isNonNegativeInteger, demandCount],
  ["blocks.seed", isNonNegativeInteger, demandCount],
  ["shape", (value) => value === "steady", "must be steady when there are blocks"],
];

const readPath = (plan: unknown, path: string): unknown =>
  path.split(".").reduce<unknown>((value, name) => member(value, name), plan);

const findProblem = (plan: unknown, rules: readonly PlanRule[]): string | undefined => {
  const rule = rules.find(([path, check]) => !check(readPath(plan, path)));
  return rule === undefined ? undefined : `its \`${rule[0]}\` ${rule[2]}`;
};

const hasBlocks = (plan: unknown): boolean => member(plan, "blocks") !== undefined;

function isPlan(plan: unknown, rules: readonly PlanRule[]): plan is LoadPlan {
  return findProblem(plan, rules) === undefined;
}

/** Returns a plan that this script can follow. Fails with a `PlanError` that names the first wrong member. */
export function checkedPlan(
  stored: unknown,
  { searches, asksQuestions, hasBlocks: supportsBlocks }: PlanUse,
): LoadPlan {
  const plan = upgradePlanFromVersion1(stored);
  const rules = [
    ...commonRules,
    ...(searches ? searchRules : []),
    ...(asksQuestions ? questionRules : []),
    ...(hasBlocks(plan) ? blockRules : []),
  ];
  if (!isPlan(plan, rules)) {
    throw new PlanError(`The plan cannot be followed: ${findProblem(plan, rules) ?? "it is not a plan"}.`);
  }
  if (plan.blocks !== undefined && !supportsBlocks) {
    throw new PlanError(
      `The scenario ${plan.scenario} cannot compare two targets; use one with a single kind of request.`,
    );
  }
  return plan;
}

import { elementsOf, isRecord, member } from "@assay/reading";
import { visibleText } from "@assay/evidence";

/** A pod, as far as it matters here. */
export interface PodState {
  readonly name: string;
  readonly isRunner: boolean;
  readonly isReady: boolean;
  readonly hasFailed: boolean;
  /** Why it cannot run, or has failed, as a clause. */
  readonly problem?: string;
  /** True if its container cannot be started. This may still change, for example if a registry fails for a moment. */
  readonly isStuck: boolean;
}

const readText = (value: unknown, name: string): string => {
  const text = member(value, name);
  return typeof text === "string" ? visibleText(text, 300) : "";
};

/** Reasons of the kubelet for a container that waits and usually does not start by itself. */
const stuckReasons: Readonly<Record<string, (image: string, message: string) => string>> = {
  ImagePullBackOff: (image, message) => `the image ${image} cannot be pulled${message}`,
  ErrImageNeverPull: (image) => `the image ${image} is not on the node, and its pull policy forbids to pull it`,
  InvalidImageName: (image) => `${image} is not the name of an image`,
  CreateContainerConfigError: (_image, message) => `its container cannot be created${message}`,
};

const describeEnd = (terminated: unknown): string => {
  const reason = readText(terminated, "reason");
  const exitCode = member(terminated, "exitCode");
  const message = readText(terminated, "message");
  return [
    reason === "OOMKilled"
      ? "it ran out of memory"
      : `it ended with ${typeof exitCode === "number" ? exitCode : reason}`,
    ...(message === "" ? [] : [message]),
  ].join(": ");
};

function findWaitingProblem(statuses: readonly unknown[]): string | undefined {
  for (const status of statuses) {
    const waiting = member(member(status, "state"), "waiting");
    const describe = stuckReasons[readText(waiting, "reason")];
    if (describe !== undefined) {
      const message = readText(waiting, "message");
      return describe(readText(status, "image"), message === "" ? "" : `: ${message}`);
    }
  }
  return undefined;
}

function findUnscheduled(conditions: readonly unknown[]): string | undefined {
  const condition = conditions.find(
    (each) => readText(each, "type") === "PodScheduled" && readText(each, "status") === "False",
  );
  return condition === undefined ? undefined : `no node can run it: ${readText(condition, "message")}`;
}

function describeFailure(status: unknown, statuses: readonly unknown[]): string {
  const reason = readText(status, "reason");
  const message = readText(status, "message");
  if (reason !== "") {
    return reason === "Evicted" ? `it was evicted: ${message}` : `${reason}: ${message}`;
  }
  const terminated = statuses.map((each) => member(member(each, "state"), "terminated")).find(isRecord);
  return terminated === undefined ? "it failed" : describeEnd(terminated);
}

function describeProblem(status: unknown): Pick<PodState, "problem" | "isStuck"> {
  const statuses = elementsOf(member(status, "containerStatuses"));
  if (member(status, "phase") === "Failed") {
    return { problem: describeFailure(status, statuses), isStuck: false };
  }
  const waiting = findWaitingProblem(statuses);
  if (waiting !== undefined) {
    return { problem: waiting, isStuck: true };
  }
  const unscheduled = findUnscheduled(elementsOf(member(status, "conditions")));
  return unscheduled === undefined ? { isStuck: false } : { problem: unscheduled, isStuck: false };
}

function readPod(pod: unknown): PodState {
  const [metadata, status] = [member(pod, "metadata"), member(pod, "status")];
  const isReady = elementsOf(member(status, "conditions")).some(
    (condition) => readText(condition, "type") === "Ready" && readText(condition, "status") === "True",
  );
  return {
    name: readText(metadata, "name"),
    isRunner: readText(member(metadata, "labels"), "runner") === "true",
    isReady,
    hasFailed: member(status, "phase") === "Failed",
    ...describeProblem(status),
  };
}

/** Reads the pods in a list of objects. */
export const readPods = (list: unknown): readonly PodState[] =>
  elementsOf(member(list, "items"))
    .filter((object) => member(object, "kind") === "Pod")
    .map(readPod);

/** Reads the stage of the `TestRun` in a list of objects. Undefined if there is none yet. */
export function readStage(list: unknown): string | undefined {
  const testRun = elementsOf(member(list, "items")).find((object) => member(object, "kind") === "TestRun");
  const stage = member(member(testRun, "status"), "stage");
  return typeof stage === "string" ? stage : undefined;
}

/** Describes the first pod that has a problem. */
export const describePodProblem = ({ name, problem = "" }: PodState): string => `the pod ${name}: ${problem}`;

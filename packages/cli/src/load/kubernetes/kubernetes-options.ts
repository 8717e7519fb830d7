import { HarnessError } from "@assay/contract";
import { isOnThisMachine } from "../../run/run-limits.ts";
import type { LoadOptions } from "../load-options.ts";
import type { LoadTarget } from "../load-targets.ts";

/** Flags of `assay load` that need k6 on this machine. */
const refusedFlags = {
  againstFactor: "--against-factor",
  latency: "--latency",
  abortThreshold: "--abort-threshold",
  dashboard: "--dashboard",
} as const satisfies Partial<Record<keyof LoadOptions, string>>;

/** Flags that mean a load in a cluster. A configuration file may set the others for every load. */
const clusterFlags = {
  runners: "--runners",
  dryRun: "--dry-run",
} as const satisfies Partial<Record<keyof LoadOptions, string>>;

const reasons: Partial<Record<keyof typeof refusedFlags, string>> = {
  abortThreshold: "the samples are only read after the load; use --threshold",
};

const findSetFlag = (flags: object, options: LoadOptions): string | undefined =>
  Object.keys(flags).find((name) => Reflect.get(options, name) !== undefined);

function rejectLocalTargets(targets: readonly LoadTarget[]): void {
  if (targets.some(({ embedded }) => embedded)) {
    throw new HarnessError(
      "usage",
      "--kubernetes needs a target that the cluster can reach; name it with --url or --target",
    );
  }
  const local = targets.find(({ url }) => isOnThisMachine(url));
  if (local !== undefined) {
    throw new HarnessError(
      "usage",
      `${new URL(local.url).host} is this machine, which pods cannot reach by that name; use an address that the cluster can reach`,
    );
  }
}

/** A load in a cluster, as the options set it. */
export interface KubernetesSettings {
  readonly kubeContext: string;
  readonly runners: number;
  /** An image of the target `runner` of the Dockerfile. */
  readonly image: string;
  readonly namespace?: string | undefined;
  readonly storageClass?: string | undefined;
  /** Processor cores that each runner requests. Default: those of `scenarios/deploy/base`. */
  readonly runnerCpu?: number | undefined;
  readonly startLimitMs: number;
  /** Outputs of each runner's k6 besides its samples. They send what they measure. */
  readonly k6Outputs: readonly string[];
}

const defaultRunners = 2;
const defaultStartLimitMs = 5 * 60_000;

function rejectClusterFlags(options: LoadOptions): void {
  const name = findSetFlag(clusterFlags, options);
  if (name !== undefined) {
    throw new HarnessError(
      "usage",
      `${Reflect.get(clusterFlags, name)} is for a load in a cluster; name its context with --kubernetes`,
    );
  }
}

/** Outputs of k6 that write a file. */
const fileOutputPattern = /^(?:json|csv)(?:=|$)/u;

function checkOutputs(outputs: readonly string[]): readonly string[] {
  const fileOutput = outputs.find((output) => fileOutputPattern.test(output));
  if (fileOutput !== undefined) {
    throw new HarnessError(
      "usage",
      `--k6-out ${fileOutput} does not go with --kubernetes: it writes a file in a pod, which is deleted; use an output that sends, such as experimental-prometheus-rw`,
    );
  }
  const divided = outputs.find((output) => output.includes(","));
  if (divided !== undefined) {
    throw new HarnessError(
      "usage",
      `--k6-out ${divided} does not go with --kubernetes: k6 in a pod reads it from a list, which it divides at the comma; set what follows it with a variable of k6`,
    );
  }
  return outputs;
}

/**
 * Returns the settings of a load in a cluster. Undefined for a load from this machine. Throws a `HarnessError` for flags that do not go
 * with it, and for targets that pods cannot reach.
 */
export function readKubernetesSettings(
  options: LoadOptions,
  targets: readonly LoadTarget[],
): KubernetesSettings | undefined {
  const { kubernetes: kubeContext, runners = defaultRunners, image, namespace, storageClass, runnerCpu } = options;
  if (kubeContext === undefined) {
    rejectClusterFlags(options);
    return undefined;
  }
  const name = findSetFlag(refusedFlags, options);
  if (name !== undefined) {
    const reason = Reflect.get(reasons, name) ?? "it is for servers and files of this machine";
    throw new HarnessError("usage", `${Reflect.get(refusedFlags, name)} does not go with --kubernetes: ${reason}`);
  }
  if (image === undefined) {
    throw new HarnessError(
      "usage",
      "--kubernetes needs the image of the runners; build the target runner of scenarios/deploy/Dockerfile, push it, and name it with --image",
    );
  }
  rejectLocalTargets(targets);
  const startLimitMs = options.startTimeout ?? defaultStartLimitMs;
  const k6Outputs = checkOutputs(options.k6Out ?? []);
  return { kubeContext, runners, image, namespace, storageClass, runnerCpu, startLimitMs, k6Outputs };
}

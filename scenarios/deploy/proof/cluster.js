import { once } from "node:events";
import { existsSync, mkdirSync, openSync, readFileSync, readdirSync, rmdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { cacheFolder } from "./cache-folder.js";
import { listNamespacesBelow } from "./host-state.js";
import { runProgram, startProgram } from "./run-program.js";

const scriptPath = (name) => fileURLToPath(new URL(name, import.meta.url));

/** The address of the machine outside the cluster, where targets listen. */
export const outsideAddress = "172.31.0.1";

/** Polls until `read` returns a value that is not undefined. Throws after the time. */
export async function waitFor(what, read, limitMs = 120_000) {
  const deadline = Date.now() + limitMs;
  for (;;) {
    const value = await read();
    if (value !== undefined) {
      return value;
    }
    if (Date.now() > deadline) {
      throw new Error(`no ${what} after ${limitMs / 1000} s`);
    }
    await pause(250);
  }
}

function linkAll(folders, target) {
  mkdirSync(target);
  for (const folder of folders) {
    for (const name of readdirSync(folder).filter((file) => !file.startsWith("."))) {
      symlinkSync(join(folder, name), join(target, name));
    }
  }
}

/** Groups inside the listed ones, innermost first. */
function listGroupsInside(folder) {
  const children = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  return [...children.flatMap(({ name }) => listGroupsInside(join(folder, name))), folder];
}

/** Removes the control groups of a cluster that has ended, and reports whether all are gone: one stays busy for a moment. */
function tryRemoveGroups(work) {
  const groups = readFileSync(join(work, "cgroups"), "utf8").trim().split("\n");
  for (const group of groups.filter((folder) => existsSync(folder)).flatMap(listGroupsInside)) {
    try {
      rmdirSync(group);
    } catch {
      return false;
    }
  }
  return true;
}

const maxRemovalMs = 20_000;

/** Removes the groups when this process exits, which cannot wait for a promise. */
function removeGroupsNow(work) {
  const deadline = Date.now() + maxRemovalMs;
  const clock = new Int32Array(new SharedArrayBuffer(4));
  while (!tryRemoveGroups(work) && Date.now() < deadline) {
    Atomics.wait(clock, 0, 0, 100);
  }
}

/** The version of control groups on this machine, of which only one can be tried at a time. */
export const describeGroups = () =>
  existsSync("/sys/fs/cgroup/cgroup.controllers") ? "control groups of version 2" : "control groups of version 1";

/**
 * Starts a control plane and nodes, each in namespaces of its own, with the archives in the folders of `images` on each node. Returns
 * `kubectl`, which runs a command and returns its output, `kubeconfig` and `programs` for other programs, `enter`, which returns a command line that runs in the network of the
 * cluster's outside, and `stop`.
 */
export async function startCluster({ work, env, namespaces, tools, programs, images, nodes }) {
  mkdirSync(join(work, "logs"));
  linkAll(images, join(work, "images"));
  linkAll([programs], join(work, "programs"));
  runProgram("bash", [scriptPath("create-keys.sh"), join(work, "keys"), String(nodes)]);
  const log = openSync(join(work, "logs/cluster.log"), "w");
  const start = ["-n", "10", "bash", scriptPath("start-cluster.sh"), work, tools, cacheFolder, String(nodes)];
  const outer = startProgram("nice", start, { env, stdio: ["ignore", log, log] });
  const ended = once(outer, "exit");
  const first = await waitFor(
    "first process of the cluster",
    () => {
      // Before it is `unshare`, it is the shell that creates the control groups.
      const isReady = readFileSync(`/proc/${outer.pid}/comm`, "utf8").trim() === "unshare";
      return (isReady && readFileSync(`/proc/${outer.pid}/task/${outer.pid}/children`, "utf8").trim()) || undefined;
    },
    20_000,
  );
  const enter = (command) => ["nsenter", `--net=/proc/${first}/ns/net`, ...command];
  const kubeconfig = join(work, "keys/admin.conf");
  const kubectl = (args, options = {}) => {
    const [program, ...rest] = enter([join(programs, "kubectl"), "--kubeconfig", kubeconfig, ...args]);
    return runProgram(program, rest, { timeout: 120_000, ...options });
  };
  const noteNamespaces = () => {
    for (const namespace of listNamespacesBelow(outer.pid)) {
      namespaces.add(namespace);
    }
  };
  // With `unshare` ends the first process, and with that all others.
  const kill = () => outer.kill("SIGKILL");
  const stopNow = () => {
    kill();
    removeGroupsNow(work);
  };
  process.prependOnceListener("exit", stopNow);
  const stop = async () => {
    noteNamespaces();
    process.off("exit", stopNow);
    kill();
    await ended;
    await waitFor("end of the control groups", () => tryRemoveGroups(work) || undefined, maxRemovalMs);
  };
  return { first, enter, kubectl, kubeconfig, programs, noteNamespaces, stop };
}

/** Reports whether a command of kubectl succeeds. */
export function succeeds(run) {
  try {
    run();
    return true;
  } catch {
    return false;
  }
}

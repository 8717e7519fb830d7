import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  readlinkSync,
  rmSync,
  rmdirSync,
} from "node:fs";
import { spawn } from "node:child_process";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runProgram } from "./run-program.js";

/** Marks the processes of a proof in their environment. */
export const proofMarker = "ASSAY_PROOF";

/** Settings of the machine that a kubelet, kube-proxy, containerd or a bridge can change. */
const settings = [
  "vm/overcommit_memory",
  "kernel/panic",
  "kernel/panic_on_oops",
  "kernel/hostname",
  "net/ipv4/ip_forward",
  "net/ipv4/conf/all/forwarding",
  "net/ipv4/conf/all/route_localnet",
  "net/ipv6/conf/all/forwarding",
  "net/bridge/bridge-nf-call-iptables",
  "net/netfilter/nf_conntrack_max",
];

/** Folders that tools of containers create, in a machine that did not have them. */
const folders = [
  "/etc/cni",
  "/etc/containers",
  "/opt/cni",
  "/opt/containerd",
  "/run/containerd",
  "/run/containers",
  "/run/netns",
  "/run/runc",
  "/run/xtables.lock",
  "/var/cache/containers",
  "/var/lib/cni",
  "/var/lib/containerd",
  "/var/lib/containers",
  "/var/lib/etcd",
  "/var/lib/kubelet",
  "/var/log/containers",
  "/var/log/pods",
];

const cgroupRoot = "/sys/fs/cgroup";

/** Reads a file or link of a process, which may end meanwhile. */
function readOfProcess(read) {
  try {
    return read();
  } catch {
    return undefined;
  }
}

const listProcessIds = () => readdirSync("/proc").filter((name) => /^\d+$/u.test(name));

const namespaceOf = (id, kind) => readOfProcess(() => readlinkSync(`/proc/${id}/ns/${kind}`));

/** Lists the namespaces of processes below a process, itself included. */
export function listNamespacesBelow(processId) {
  const parents = new Map(
    listProcessIds().map((id) => [
      id,
      /\) \S (\d+)/u.exec(readOfProcess(() => readFileSync(`/proc/${id}/stat`, "utf8")) ?? "")?.[1],
    ]),
  );
  const isBelow = (id) => id !== undefined && (id === String(processId) || isBelow(parents.get(id)));
  const own = new Set(["pid", "net", "mnt"].map((kind) => namespaceOf("self", kind)));
  return new Set(
    [...parents.keys()]
      .filter(isBelow)
      .flatMap((id) => ["pid", "net", "mnt"].map((kind) => namespaceOf(id, kind)))
      .filter((namespace) => namespace !== undefined && !own.has(namespace)),
  );
}

/** Processes with this proof's mark, or in its namespaces, as `program (id)`. This process is left out. */
function listProofProcesses({ mark, namespaces }) {
  return listProcessIds()
    .filter((id) => Number(id) !== process.pid)
    .filter((id) => {
      const environment = readOfProcess(() => readFileSync(`/proc/${id}/environ`, "latin1")) ?? "";
      const isMarked = environment.split("\0").includes(`${proofMarker}=${mark}`);
      return isMarked || ["pid", "net", "mnt"].some((kind) => namespaces.has(namespaceOf(id, kind)));
    })
    .map((id) => `${readOfProcess(() => readFileSync(`/proc/${id}/comm`, "utf8").trim()) ?? "?"} (${id})`);
}

function listMounts() {
  const lines = readFileSync("/proc/self/mountinfo", "utf8").trim().split("\n");
  return lines.map((line) => line.split(" ")[4]);
}

/** Control groups at all depths. Those of other programs come and go, so only the proofs' are listed. */
function listProofGroups(folder = cgroupRoot) {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .flatMap(({ name }) => [
      ...(name.startsWith("assay-prove") ? [join(folder, name)] : []),
      ...listProofGroups(join(folder, name)),
    ]);
}

const listTemporaryFolders = (mark) =>
  [tmpdir(), "/var/tmp"].flatMap((folder) =>
    readdirSync(folder)
      .filter((name) => name.includes(mark))
      .map((name) => join(folder, name)),
  );

function readSettings() {
  return settings
    .filter((name) => existsSync(`/proc/sys/${name}`))
    .map((name) => `${name}=${readFileSync(`/proc/sys/${name}`, "utf8").trim()}`);
}

/**
 * Reads what a proof could leave on this machine, by kind. `mark` is the value of the marker in the environment of its processes, and
 * `namespaces` are those that it was seen to create.
 */
export function readHostState({ mark, namespaces = new Set() }) {
  return {
    process: listProofProcesses({ mark, namespaces }),
    mount: listMounts(),
    interface: readdirSync("/sys/class/net"),
    "control group": listProofGroups(),
    setting: readSettings(),
    folder: [...folders.filter((folder) => existsSync(folder)), ...listTemporaryFolders(mark)],
  };
}

/** Lists what the later state has and the earlier one lacks. */
export function findLeftovers(before, after) {
  return Object.entries(after).flatMap(([kind, values]) => {
    const known = [...before[kind]];
    return values.flatMap((value) => {
      const index = known.indexOf(value);
      if (index >= 0) {
        known.splice(index, 1);
        return [];
      }
      return [`${kind}: ${value}`];
    });
  });
}

/** The first hierarchy in which a group can be created. */
const controlRoot = () => ["pids", "."].map((name) => join(cgroupRoot, name)).find((folder) => existsSync(folder));

/** Leaves one thing of each kind on purpose, and checks that each is found. Throws if one is not, and always removes them. */
export function checkLeftoversAreFound(mark) {
  const before = readHostState({ mark });
  const folder = mkdtempSync(join(tmpdir(), `assay-prove-${mark}-`));
  const group = join(controlRoot(), "assay-prove-control");
  const child = spawn("sleep", ["60"], { env: { ...process.env, [proofMarker]: mark }, stdio: "ignore" });
  const tidy = [];
  const leave = (create, remove) => {
    create();
    tidy.unshift(remove);
  };
  try {
    leave(
      () => mkdirSync(group),
      () => rmdirSync(group),
    );
    leave(
      () => runProgram("mount", ["-t", "tmpfs", "tmpfs", folder]),
      () => runProgram("umount", [folder]),
    );
    leave(
      () => runProgram("ip", ["link", "add", "assay-control", "type", "bridge"]),
      () => runProgram("ip", ["link", "delete", "assay-control"]),
    );
    const after = readHostState({ mark });
    // Changing a setting would change the machine, so one is taken from the earlier state instead.
    const leftovers = findLeftovers({ ...before, setting: before.setting.slice(1) }, after);
    const found = new Set(leftovers.map((line) => line.split(":")[0]));
    const missing = Object.keys(before).filter((kind) => !found.has(kind));
    if (missing.length > 0) {
      throw new Error(`the check for leftovers does not find: ${missing.join(", ")}`);
    }
    return `a leftover of each kind was left on purpose and found: ${[...found].join(", ")}`;
  } finally {
    for (const remove of tidy) {
      remove();
    }
    child.kill("SIGKILL");
    rmSync(folder, { recursive: true });
  }
}

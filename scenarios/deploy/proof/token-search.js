import { existsSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";

/** Every way in which the token is written into a file or an object. */
const spellings = (token) => [token, Buffer.from(token).toString("base64")];

/** A kubelet deletes folders of pods meanwhile. */
function listFiles(folder) {
  if (!existsSync(folder)) {
    return [];
  }
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) {
      return listFiles(path);
    }
    return entry.isFile() ? [path] : [];
  });
}

/** Finds the files below folders that contain the token. Also returns the names of all files. */
export function findFilesWithToken(folders, token) {
  const names = folders.flatMap(listFiles);
  const found = names.filter((name) => {
    const content = readFileSync(name);
    return spellings(token).some((spelling) => content.includes(spelling));
  });
  return { names, found };
}

/** Finds the kinds whose objects contain the token. Looks at every kind that can be listed. */
export function findKindsWithToken({ kubectl }, token) {
  const kinds = kubectl(["api-resources", "--verbs=list", "-o", "name"]).trim().split("\n");
  const list = kubectl(["get", kinds.join(","), "--all-namespaces", "-o", "json", "--show-managed-fields"]);
  const hasToken = (object) => spellings(token).some((spelling) => JSON.stringify(object).includes(spelling));
  const found = JSON.parse(list).items.filter(hasToken);
  return { kindCount: kinds.length, found: [...new Set(found.map(({ kind }) => kind))] };
}

/** Finds the pods whose logs contain the token. */
export function findLogsWithToken({ kubectl }, token) {
  const pods = JSON.parse(kubectl(["get", "pods", "--all-namespaces", "-o", "json"])).items;
  const readLog = ({ metadata: { namespace, name } }) =>
    kubectl(["-n", namespace, "logs", name, "--all-containers", "--tail=-1"]);
  return {
    podCount: pods.length,
    found: pods.filter((pod) => readLog(pod).includes(token)).map(({ metadata }) => metadata.name),
  };
}

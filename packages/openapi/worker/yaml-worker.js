// Converts a YAML document and posts the result.
import { workerData } from "node:worker_threads";
import { jsonOfYaml } from "./json-of-yaml.js";

const { text, port, signal, limits } = workerData;
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a port of a thread has no origin
port.postMessage(jsonOfYaml(text, limits));
Atomics.store(signal, 0, 1);
Atomics.notify(signal, 0);

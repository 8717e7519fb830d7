// Runs one task on one OpenAPI document and posts what it gives.
import { parentPort, workerData } from "node:worker_threads";
import { documentTasks } from "./document-tasks.js";

const { task, document } = workerData;
const result = await documentTasks[task](document);
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a port of a thread has no origin
parentPort.postMessage(result);

// Validates the form of an OpenAPI document and posts the result.
import { parentPort, workerData } from "node:worker_threads";
import { validateForm } from "./validate-form.js";

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a port of a thread has no origin
parentPort.postMessage(validateForm(workerData.document));

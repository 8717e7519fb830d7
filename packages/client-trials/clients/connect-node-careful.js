// Asks a question with `@connectrpc/connect-node`: polls with a pause, respects the retry time, stops at the end, and reports
// failures.
import { setTimeout as wait } from "node:timers/promises";
import { Code, ConnectError } from "@connectrpc/connect";
import { creation, deepsearch, isForUs } from "./deepsearch-client.js";

if (!isForUs) {
  process.exit(77);
}

const pauseMs = 500;
const { ASSAY_QUESTION, ASSAY_TASK } = process.env;

const poll = async (name) => {
  try {
    return await deepsearch.getConversation({ name });
  } catch (error) {
    const isBusy = error instanceof ConnectError && [Code.ResourceExhausted, Code.Unavailable].includes(error.code);
    const seconds = isBusy ? Number(error.metadata.get("retry-after")) : Number.NaN;
    if (!(seconds <= 60)) {
      throw error;
    }
    await wait(seconds * 1000);
    return poll(name);
  }
};

const { name } = await deepsearch.createConversation(creation(ASSAY_QUESTION));
if (ASSAY_TASK === "cancel") {
  await deepsearch.cancelConversation({ name });
}
let conversation = await poll(name);
while (conversation.state?.kind.case === "processing") {
  await wait(pauseMs);
  conversation = await poll(name);
}
const { case: state, value } = conversation.state?.kind ?? {};
if (state === "error") {
  console.error(value.message);
  process.exitCode = 1;
}
for (const { kind } of conversation.questions.at(-1)?.answer ?? []) {
  console.log(kind.value?.text ?? "");
}

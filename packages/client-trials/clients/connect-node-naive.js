// Asks a question with `@connectrpc/connect-node`, written in a hurry: polls without a pause, and treats every final state as an answer.
import { creation, deepsearch, isForUs } from "./deepsearch-client.js";

if (!isForUs || process.env.ASSAY_TASK === "cancel") {
  process.exit(77);
}

let conversation = await deepsearch.createConversation(creation(process.env.ASSAY_QUESTION));
while (conversation.state?.kind.case === "processing") {
  const { name } = conversation;
  try {
    conversation = await deepsearch.getConversation({ name });
  } catch {
    console.error("trying again");
  }
}
for (const { kind } of conversation.questions.at(-1)?.answer ?? []) {
  console.log(kind.value.text);
}

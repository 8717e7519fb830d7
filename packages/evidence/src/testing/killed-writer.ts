import { createBundleWriter } from "../bundle/bundle-writer.ts";
import { exampleDraft, exampleManifest, exampleRedactor } from "./exchange-example.ts";

// Started by a test as a separate process. Writes exchanges until it is killed, and prints how many are on disk.
const [directory = ""] = process.argv.slice(2);
const writer = await createBundleWriter({ directory, manifest: exampleManifest, redactor: exampleRedactor() });
for (let number = 0; ; number++) {
  const body = `event: matches\ndata: [${number % 50}]\n\n`.repeat(1 + (number % 7) * 500);
  await writer.writeExchange(exampleDraft(`e${number}`, [body, "event: done\ndata: {}\n\n"]));
  process.stdout.write(`${number + 1}\n`);
}

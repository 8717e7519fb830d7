/**
 * `npm run prove:image`: builds the images of the Dockerfile on this machine and runs Assay in them against a server outside. Needs Linux,
 * root, Go and apt. Where a public base image cannot be pulled, it prints which part is a substitute. Not part of `npm test`.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { extractPackages } from "./proof/debian-tools.js";
import { buildAndCheckImages } from "./proof/image-archives.js";
import { runInOverlay } from "./proof/run-in-overlay.js";
import { runProof } from "./proof/proof-session.js";
import { startTargets } from "./proof/targets.js";

await runProof("prove:image", async ({ print, work, env }) => {
  const context = { tools: extractPackages(), work, env };
  await buildAndCheckImages(context, async (archives) => {
    print("the images are built");
    const { urls, token, stop } = await startTargets({ host: "127.0.0.1", ports: [0], env });
    try {
      writeFileSync(join(work, "target.json"), JSON.stringify({ url: urls[0], token }));
      await runInOverlay(context, "check-images.js", [work, archives]);
    } finally {
      await stop();
    }
  });
  print("every check of the images passed");
});

import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { bundleScenario, scenarioNames } from "@assay/scenarios";

/** Bundles every scenario into a folder: `node bundle-scenarios.js FOLDER`, after `npm run build`. */
const [, , folder] = process.argv;
if (folder === undefined) {
  console.error("bundle-scenarios needs a folder to write to: node scenarios/deploy/bundle-scenarios.js FOLDER");
  process.exit(2);
}
await mkdir(folder, { recursive: true });
for (const scenario of scenarioNames) {
  const { sha256 } = await bundleScenario({ scenario, outFile: join(folder, `${scenario}.js`) });
  console.log(`${sha256}  ${scenario}.js`);
}

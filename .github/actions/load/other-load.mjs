// Prints how a load run differs from those that are kept such that they are no runs of the same, one sentence; nothing where they
// are. Usage: node other-load.mjs LOAD_JSON RUNS_FOLDER BASELINE_FILE; the last may be empty, or not there.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";

const [own = "", folder = "", baseline = ""] = process.argv.slice(2);
const read = (file) => JSON.parse(readFileSync(file, "utf8"));

const kept = [
  ...(existsSync(baseline) ? read(baseline).runs : []),
  ...readdirSync(folder)
    .map((name) => join(folder, name, "load.json"))
    .filter((file) => existsSync(file))
    .map(read),
];

const targetOf = ({ run: { target, against } }) => (against === undefined ? target : `${target} against ${against}`);
const whatOf = (run) => `${run.plan.scenario} on ${targetOf(run)}`;
const shown = (text) => text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, " ").slice(0, 300);

const whatIs = whatOf(read(own));
const other = kept.find((run) => whatOf(run) !== whatIs);
process.stdout.write(
  other === undefined ? "" : `it is ${shown(whatIs)}, and run ${other.run.id} that is kept is ${shown(whatOf(other))}`,
);

// Reads every stream of a list several times, in parallel, and says of each what was found.
import exec from "k6/execution";
import { read } from "k6/x/assay";

const names = JSON.parse(__ENV.BENCH_FIXTURES);

export const options = {
  scenarios: {
    faults: {
      executor: "shared-iterations",
      vus: Number(__ENV.BENCH_VUS),
      iterations: names.length * Number(__ENV.BENCH_REPEATS),
      maxDuration: "30s",
    },
  },
};

export default async function () {
  const name = names[exec.scenario.iterationInTest % names.length];
  const { outcome, events, violations, observations } = await read(`${__ENV.BENCH_URL}/${name}`, {});
  console.log(JSON.stringify({ name, outcome, events, violations, observations }));
}

// What the scripts of all clients share: the load, where streams are, and how a stream is reported.
import exec from "k6/execution";
import { Counter } from "k6/metrics";

const streams = new Counter("bench_streams");
const broken = new Counter("bench_broken");
const expectedEvents = Number(__ENV.BENCH_EVENTS);

export const options = JSON.parse(__ENV.BENCH_OPTIONS);

/** Milliseconds with fractions: the finest clock that JavaScript has here. */
export const nowMs = () => exec.instance.currentTestRunDuration;

/** The address of the next stream. */
export const nextStream = () => {
  const id = String(exec.scenario.iterationInTest);
  return { id, url: `${__ENV.BENCH_URL}&id=${id}` };
};

/** Counts a stream; with a time to first match, and when it is wanted, as a line of the log. A wrong stream spoils the run. */
export function report({ id, events, firstMatchMs, problem }) {
  streams.add(1);
  if (problem !== "" || events !== expectedEvents || !(firstMatchMs >= 0)) {
    broken.add(1);
    console.error(`stream ${id}: ${events} events, first match after ${firstMatchMs} ms, ${problem}`);
  } else if (__ENV.BENCH_EACH === "yes") {
    console.log(`${id} ${firstMatchMs}`);
  }
}

const countOf = (data, name) => (data.metrics[name] === undefined ? 0 : data.metrics[name].values.count);

export const handleSummary = (data) => ({
  [__ENV.BENCH_SUMMARY]: JSON.stringify({
    streams: countOf(data, "bench_streams"),
    broken: countOf(data, "bench_broken"),
    dropped: countOf(data, "dropped_iterations"),
  }),
});

import { report } from "./child-task.ts";
import { interleavedRounds, speedRatio } from "./interleaved-rounds.ts";
import { layers, prepareMaterial } from "./layers.ts";
import type { LayerResult, SpeedResult, SpeedTask } from "./measurements.ts";
import { median } from "./quantile.ts";
import { mebibyte } from "./stream-profiles.ts";

const task: SpeedTask = JSON.parse(process.argv[2] ?? "");
const material = prepareMaterial(task);
const times = interleavedRounds(material, task.rounds);
const { bytes, events, largestEventBytes } = material;

const results = layers.map(({ name, title }): LayerResult => {
  const medianMs = median(times[name]);
  return {
    name,
    title,
    medianMs,
    megabytesPerSecond: bytes / mebibyte / (medianMs / 1000),
    timesStandardParser: speedRatio(times, name, "standard-parser"),
    timesJsonParse: speedRatio(times, name, "json-parse"),
    timesTextbook: speedRatio(times, name, "textbook"),
  };
});
const result: SpeedResult = { ...task, bytes, events, largestEventBytes, layers: results };
report(result);

// A process of its own that loads a configuration file and reads all of it, so that one without an end can be ended. What comes
// of it does not matter here: the command loads the file once more, and tells.
import { loadConfig } from "c12";

const [options = "{}"] = process.argv.slice(2);
const { layers = [] } = await loadConfig(JSON.parse(options)).catch(() => ({}));
try {
  JSON.stringify(layers.map(({ config }) => config));
} catch {
  // Getters that throw, members that hold themselves.
}
process.exit(0);

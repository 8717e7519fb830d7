// A process of its own that loads a configuration file and reads all of it, so that one without an end can be ended. What comes
// of it does not matter here: the command loads the file once more, and tells.
import { createJiti } from "jiti";

const [path = "", loading = "{}"] = process.argv.slice(2);
try {
  JSON.stringify(await createJiti(path, JSON.parse(loading)).import(path));
} catch {
  // Whatever it throws, getters that throw, members that hold themselves.
}
process.exit(0);

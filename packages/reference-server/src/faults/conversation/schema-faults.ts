import type { ApiOperation } from "../../conversation/api/api-call.ts";
import { editAnswers, violating } from "./answer-edits.ts";
import type { InterfaceName } from "./answer-edits.ts";
import { changeEntries } from "./list-entries.ts";
import { chosenWay, howParameter } from "../fault-ways.ts";
import type { Ways } from "../fault-ways.ts";
import type { Fault } from "../fault.ts";
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

const misfits: Readonly<Record<InterfaceName, Ways<Misfit>>> = {
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

const faultsOf = (name: InterfaceName): readonly Fault[] => [
  violating(
    `${name}/responses-fit-openapi`,
    {
      id: `${name}-answer-not-as-described`,
      title: "an answer that is not as the OpenAPI document says",
      description: "Answers have a member of another type than the OpenAPI document says, and no other document.",
      parameters: howParameter(misfits[name]),
    },
    editAnswers({ interface: name }, (json, { call, run }) => {
      const misfit = chosenWay(misfits[name], run);
      return misfit?.operation === call.operation ? misfit.change(json) : json;
    }),
  ),
  violating(
    `${name}/responses-fit-openapi`,
    {
      id: `${name}-description-of-another-release`,
      title: "an OpenAPI document that describes other answers",
      description: "The OpenAPI document that is served demands a member of conversations that these do not have.",
    },
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
export const conversationSchemaFaults: readonly Fault[] = [...faultsOf("legacy"), ...faultsOf("current")];

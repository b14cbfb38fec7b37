/** Reads Lifehook's kinds as the server serves them. */
import type { CustomResourceDefinition } from 'kubernetes-types/apiextensions/v1.js';

import type { Definition } from '../../../controller/definitions/definition.ts';
import type { KubeClient } from '../../../kube/client.ts';
import type { Json } from '../../../kube/object.ts';
import { customResourceDefinitions } from '../../../kube/resources.ts';
import { API_VERSION } from '../../../model/api-version.ts';
import { lifehookDefinitions } from '../../install/all-definitions.ts';
import { ask } from '../asked.ts';
import type { KindFacts } from '../facts.ts';

const DEFINITIONS = { group: 'apiextensions.k8s.io', resource: 'customresourcedefinitions' };
const DISCOVERY = `/apis/${API_VERSION}`;

export async function gatherKinds(client: KubeClient): Promise<readonly KindFacts[]> {
  const served = await servedKinds(client);
  return Promise.all(lifehookDefinitions().map((ours) => kindFacts(client, ours, served)));
}

async function servedKinds(client: KubeClient): Promise<ReadonlySet<string>> {
  const right = { verb: 'get', group: '', resource: DISCOVERY };
  const answer = await ask(right, () => client.raw({ method: 'GET', path: DISCOVERY }));
  if (answer.kind !== 'known') return new Set();
  const { resources = [] } = answer.value as { resources?: readonly { name?: Json }[] };
  return new Set(resources.flatMap(({ name }) => (typeof name === 'string' ? [name] : [])));
}

async function kindFacts(
  client: KubeClient,
  ours: Definition,
  served: ReadonlySet<string>,
): Promise<KindFacts> {
  const { name } = ours.metadata;
  const definition = await ask({ ...DEFINITIONS, verb: 'get' }, () =>
    client.get(customResourceDefinitions, { name }),
  );
  return {
    kind: ours.spec.names.kind,
    name,
    isServed: served.has(ours.spec.names.plural),
    definition,
    missingFields: definition.kind === 'known' ? missingIn(definition.value, ours) : [],
  };
}

function missingIn(stored: CustomResourceDefinition, ours: Definition): readonly string[] {
  const [version] = ours.spec.versions;
  const schema = stored.spec.versions.find(({ name }) => name === version.name)?.schema;
  return missingFields(version.schema.openAPIV3Schema, schema?.openAPIV3Schema ?? {});
}

/** The part of an OpenAPI schema in which fields are nested. */
interface Nested {
  readonly properties?: Readonly<Record<string, Nested>>;
  readonly items?: Nested | object;
  readonly 'x-kubernetes-preserve-unknown-fields'?: boolean;
}

/**
 * The paths of fields that `ours` has and `installed` lacks, such as "spec.rescue.image". Fields nested in a missing
 * field are omitted. Pure.
 */
export function missingFields(
  ours: Nested,
  installed: Nested,
  path: string = '',
): readonly string[] {
  if (installed['x-kubernetes-preserve-unknown-fields'] === true) return [];
  const fields = Object.entries(ours.properties ?? {}).flatMap(([name, field]) => {
    const there = installed.properties?.[name];
    const at = path === '' ? name : `${path}.${name}`;
    return there === undefined ? [at] : missingFields(field, there, at);
  });
  const { items } = ours;
  return items === undefined
    ? fields
    : [...fields, ...missingFields(items, installed.items ?? {}, `${path}[]`)];
}

/**
 * The kinds with known definitions: Lifehook's, those of volume snapshots, and those that the files define. A
 * definition in the files has precedence.
 */
import {
  compileStructural,
  type FieldError,
  groupDefinitions,
  hasRules,
  loadRuleEngine,
  singleDefinitions,
  type TypeNode,
} from '../../../../packages/local-cluster/src/index.ts';
import { objectAt, objectsAt, textAt } from '../../../kube/fields.ts';
import { groupOf, type JsonObject } from '../../../kube/object.ts';
import { GROUP_VERSIONS } from '../../../kube/snapshots.ts';
import { GROUP } from '../../../model/api-version.ts';
import { lifehookDefinitions } from '../../install/all-definitions.ts';
import { rank } from './find-kind.ts';
import type { LintObject } from './lint-object.ts';

export interface DefinedKind {
  readonly type: TypeNode;
  readonly namespaced: boolean;
  /** Checks an object by its definition. Call it only for an object whose values have the right types. */
  validate(object: JsonObject): readonly FieldError[];
}

export interface DefinedKinds {
  find(apiVersion: string, kind: string): DefinedKind | undefined;
  /** The served versions of a kind with a known definition, newest first; empty: the definition is not known. */
  versionsOf(group: string, kind: string): readonly string[];
  kindsOf(group: string): readonly string[];
}

/**
 * Reads only the definitions of groups that occur in the objects. Most files have no object of these groups, and the
 * CEL engine takes time to load.
 */
export async function definedKinds(objects: readonly LintObject[]): Promise<DefinedKinds> {
  const groups = new Set(objects.map(({ apiVersion }) => groupOf(apiVersion)));
  const ours = groups.has(GROUP) ? lifehookDefinitions() : [];
  const known = [...ours, ...singleDefinitions, ...groupDefinitions.map(inEachVersion)].map(asJson);
  const written = objects.filter(({ kind }) => kind === 'CustomResourceDefinition');
  const definitions = [...known, ...written.map(({ value }) => value)].filter((one) =>
    groups.has(textAt(one, 'spec', 'group')),
  );
  const kinds = new Map<string, () => DefinedKind | undefined>();
  const engine = definitions.some(hasRules) ? await loadRuleEngine() : null;
  for (const definition of definitions) {
    const [group, kind] = [
      textAt(definition, 'spec', 'group'),
      textAt(definition, 'spec', 'names', 'kind'),
    ];
    const namespaced = textAt(definition, 'spec', 'scope') !== 'Cluster';
    for (const version of objectsAt(definition, 'spec', 'versions')) {
      if (version['served'] === false) continue;
      const schema = objectAt(version, 'schema', 'openAPIV3Schema');
      const name = `${group}/${textAt(version, 'name')}/${kind}`;
      kinds.set(
        name,
        once(() => compiled(schema, { namespaced, engine })),
      );
    }
  }
  const names = (): readonly (readonly string[])[] =>
    [...kinds.keys()].map((one) => one.split('/'));
  return {
    find: (apiVersion, kind) => kinds.get(`${apiVersion}/${kind}`)?.(),
    versionsOf: (group, kind) =>
      names()
        .flatMap(([one, version = '', other]) => (one === group && other === kind ? [version] : []))
        .toSorted((one, other) => rank(`${group}/${other}`) - rank(`${group}/${one}`)),
    kindsOf: (group) => names().flatMap(([one, , kind = '']) => (one === group ? [kind] : [])),
  };
}

/** The versions of group snapshots that the controllers use; the fields that users write are the same in each. */
function inEachVersion(definition: (typeof groupDefinitions)[number]): object {
  const [first] = definition.spec.versions;
  return {
    ...definition,
    spec: { ...definition.spec, versions: GROUP_VERSIONS.map((name) => ({ ...first, name })) },
  };
}

const asJson = (value: object): JsonObject => value as unknown as JsonObject;

/** Defers the work, because the files use few of the known kinds. */
function once<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

/** undefined: the schema is missing or not structural. A server reports that error for the definition itself. */
function compiled(
  schema: JsonObject | undefined,
  {
    namespaced,
    engine,
  }: {
    readonly namespaced: boolean;
    readonly engine: Awaited<ReturnType<typeof loadRuleEngine>> | null;
  },
): DefinedKind | undefined {
  if (schema === undefined) return undefined;
  const result = compileStructural(schema, { at: 'schema', engine });
  if (result.kind === 'invalid') return undefined;
  const { schema: ready } = result;
  return {
    type: ready.type,
    namespaced,
    validate: (object) => ready.validate(ready.default(ready.prune(object))),
  };
}

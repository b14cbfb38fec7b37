import { describe, expect, it } from 'vitest';

import type { StructNode, TypeNode } from '../type-node.ts';
import { builtinType, definitionNames, namedType } from './builtin-type.ts';

/** The type at a path, in which "[]" stands for the items of a list and "{}" for the values of a map. */
function at(type: TypeNode | undefined, path: readonly string[]): TypeNode | undefined {
  return path.reduce<TypeNode | undefined>((node, step) => {
    if (node?.kind === 'list' && step === '[]') return node.items;
    if (node?.kind === 'map' && step === '{}') return node.values;
    return node?.kind === 'struct' ? node.field(step) : undefined;
  }, type);
}

const pod = builtinType('', 'v1', 'Pod');
const deployment = builtinType('apps', 'v1', 'Deployment');

describe('the type of a built-in kind', () => {
  it('has its fields down to the scalars, under the names of the Go types', () => {
    expect(at(deployment, ['spec'])).toMatchObject({ kind: 'struct', typeName: 'DeploymentSpec' });
    expect(at(deployment, ['spec', 'replicas'])).toEqual({ kind: 'scalar', scalar: 'int32' });
    expect(at(pod, ['metadata', 'creationTimestamp'])).toEqual({ kind: 'scalar', scalar: 'time' });
    expect(at(builtinType('', 'v1', 'Secret'), ['data', '{}'])).toEqual({
      kind: 'scalar',
      scalar: 'bytes',
    });
    expect(at(deployment, ['spec', 'nope'])).toBeUndefined();
    expect(at(deployment, ['spec', 'toString'])).toBeUndefined();
  });

  it('has the merge rules of lists for both kinds of patches', () => {
    expect(at(pod, ['spec', 'containers', '[]', 'ports'])).toMatchObject({
      listType: 'map',
      mapKeys: ['containerPort', 'protocol'],
      keyDefaults: { containerPort: 0, protocol: 'TCP' },
      patchStrategy: 'merge',
      mergeKey: 'containerPort',
    });
    expect(at(pod, ['spec', 'containers'])).toMatchObject({ keyDefaults: { name: '' } });
    expect(at(pod, ['metadata', 'finalizers'])).toMatchObject({
      patchStrategy: 'merge',
      mergeKey: null,
    });
    expect(at(pod, ['spec', 'containers', '[]', 'command'])).toMatchObject({
      listType: 'atomic',
      patchStrategy: 'replace',
    });
  });

  it('marks where a strategic merge retains only the patched keys', () => {
    expect(at(deployment, ['spec', 'strategy'])).toMatchObject({ retainKeys: true });
    expect(at(pod, ['spec', 'volumes', '[]'])).toMatchObject({ retainKeys: true });
    expect(at(pod, ['spec', 'containers', '[]'])).toMatchObject({ retainKeys: false });
  });

  it('supports recursive types', () => {
    const schema = namedType('apiextensions.v1.JSONSchemaProps');
    expect(at(schema, ['properties', '{}', 'properties', '{}'])).toBe(schema);
  });

  it('is found by full and short definition names, as the same object', () => {
    expect(namedType('io.k8s.api.apps.v1.Deployment')).toBe(deployment);
    expect(namedType('apps.v1.Deployment')).toBe(deployment);
    expect(namedType('apps.v1.Nope')).toBeUndefined();
    expect(builtinType('apps', 'v1', 'Pod')).toBeUndefined();
    expect(builtinType('', 'v1', 'toString')).toBeUndefined();
  });

  it('has fields that newer versions added, and none that they removed', () => {
    expect(
      at(pod, ['spec', 'containers', '[]', 'lifecycle', 'preStop', 'sleep', 'seconds']),
    ).toEqual({
      kind: 'scalar',
      scalar: 'int64',
    });
    expect(at(pod, ['spec', 'containers', '[]', 'lifecycle', 'preStop'])).toMatchObject({
      typeName: 'LifecycleHandler',
    });
    expect(at(pod, ['spec', 'nodeSelector'])).toMatchObject({ atomic: true });
    expect(at(pod, ['metadata', 'clusterName'])).toBeUndefined();
    expect(namedType('core.v1.Handler')).toBeUndefined();
    expect(builtinType('policy', 'v1', 'PodDisruptionBudget')).toBeDefined();
  });

  it('refers only to existing definitions', () => {
    const broken = definitionNames().filter((name) => {
      const struct = namedType(name) as StructNode;
      return struct.fieldNames.some((field) => struct.field(field) === undefined);
    });
    expect(broken).toEqual([]);
  });
});

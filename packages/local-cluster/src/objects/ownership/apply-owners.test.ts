import { describe, expect, it } from 'vitest';
import {
  applied,
  attempt,
  exampleKind,
  exampleType,
  LATER,
  owners,
} from '../../../test/apply-example.ts';
import { customType, listOf, text } from '../../../test/custom-type.ts';
import type { JsonObject } from '../../../../../src/kube/object.ts';
import { builtinType } from '../table/builtin-type.ts';
import type { TypeNode } from '../type-node.ts';
import { conflictMessage } from './change-owners.ts';

describe('the owners after an apply', () => {
  it('assigns an object without owners to before-first-apply before the apply', () => {
    const live = {
      ...exampleKind,
      metadata: { name: 'x', uid: 'u' },
      spec: { size: 1, args: ['x'] },
    };
    expect(attempt({ live, by: 'a', spec: { size: 2 } })).toMatchObject({
      conflicts: [{ manager: 'before-first-apply', field: '.spec.size' }],
    });
    expect(owners(applied({ live, by: 'a', spec: { size: 1 } }))).toEqual({
      'a Apply': { 'f:size': {} },
      'before-first-apply Update': { '.': {}, 'f:args': {}, 'f:size': {} },
    });
  });

  it('assigns no ownership of ignored fields and of fields of the server', () => {
    const body = {
      ...exampleKind,
      metadata: { name: 'x', uid: 'u', labels: { a: '1' } },
      spec: { size: 1 },
      status: { ok: true },
    };
    const object = applied({
      by: 'a',
      spec: {},
      applied: body,
      ignore: [['status'], ['spec', 'size']],
    });
    expect((object['metadata'] as JsonObject)['managedFields']).toMatchObject([
      { fieldsV1: { 'f:metadata': { 'f:labels': { 'f:a': {} } } } },
    ]);
  });

  it('records owners of a subresource separately', () => {
    const body = { ...exampleKind, metadata: { name: 'x' }, status: 'fine' };
    const live = applied({ by: 'a', spec: { size: 1 } });
    const object = applied({ live, by: 'a', spec: {}, applied: body, subresource: 'status' });
    expect((object['metadata'] as JsonObject)['managedFields']).toMatchObject([
      { manager: 'a', fieldsV1: { 'f:spec': { 'f:size': {} } } },
      { manager: 'a', fieldsV1: { 'f:status': {} }, subresource: 'status' },
    ]);
    const conflict = attempt({
      live: object,
      by: 'b',
      spec: {},
      applied: { ...body, status: 'bad' },
    });
    expect(conflict.kind === 'conflicts' && conflictMessage(conflict.conflicts)).toBe(
      'Apply failed with 1 conflict: conflict with "a" with subresource "status": .status',
    );
  });

  it('drops a null field of a built-in type, and still owns it', () => {
    const deployment = builtinType('apps', 'v1', 'Deployment') ?? exampleType;
    const template = { metadata: { creationTimestamp: null, labels: { a: '1' } } };
    const named = { apiVersion: 'apps/v1', kind: 'Deployment' };
    const body = { ...named, spec: { template } };
    const common = { by: 'a', spec: {}, applied: body, type: deployment, ...named };
    const live = applied(common);
    expect(live['spec']).toEqual({ template: { metadata: { labels: { a: '1' } } } });
    const result = attempt({ ...common, live, now: LATER });
    expect(result.kind === 'applied' && result.object).toBe(live);
  });

  it('drops an empty object that it leaves in a built-in type', () => {
    const configMap = builtinType('', 'v1', 'ConfigMap') ?? exampleType;
    const named = { apiVersion: 'v1', kind: 'ConfigMap' };
    const body = { ...named, metadata: { name: 'x' } };
    const common = { spec: {}, type: configMap, ...named };
    const first = applied({ ...common, by: 'a', applied: { ...body, data: { x: '1' } } });
    const live = applied({ ...common, live: first, by: 'b', applied: { ...body, data: {} } });
    expect(live['data']).toEqual({ x: '1' });
    const object = applied({ ...common, live, by: 'a', applied: body });
    expect(Object.keys(object)).toEqual(['apiVersion', 'kind', 'metadata']);
  });

  it('treats a list that became atomic as one field', () => {
    const granular = customType({
      ...exampleFields(),
      spec: customType({ args: listOf(text, 'set') }),
    });
    const live = applied({ by: 'a', spec: { args: ['x'] }, type: granular });
    const object = applied({ live, by: 'b', spec: { size: 1 } });
    expect(owners(object)).toEqual({ 'a Apply': { 'f:args': {} }, 'b Apply': { 'f:size': {} } });
  });
});

function exampleFields(): Record<string, TypeNode> {
  return Object.fromEntries(
    exampleType.fieldNames.flatMap((name): [string, TypeNode][] => {
      const field = exampleType.field(name);
      return field === undefined ? [] : [[name, field]];
    }),
  );
}

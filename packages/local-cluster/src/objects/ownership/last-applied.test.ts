import { describe, expect, it } from 'vitest';
import { applied, attempt, exampleKind, exampleType, NOW } from '../../../test/apply-example.ts';
import type { JsonObject } from '../../../../../src/kube/object.ts';
import { recordUpdate } from './update.ts';

describe('applyServerSide as kubectl', () => {
  const name = 'kubectl.kubernetes.io/last-applied-configuration';
  const annotated = (spec: JsonObject, live: JsonObject = spec): JsonObject =>
    recordUpdate({
      live: undefined,
      next: {
        ...exampleKind,
        metadata: { name: 'x', annotations: { [name]: JSON.stringify({ ...exampleKind, spec }) } },
        spec: live,
      },
      type: exampleType,
      manager: 'kubectl-client-side-apply',
      apiVersion: exampleKind.apiVersion,
      now: NOW,
      subresource: '',
    });

  it('does not conflict with its own client-side apply, and updates the annotation', () => {
    const live = annotated({ size: 1 });
    expect(attempt({ live, by: 'other', spec: { size: 2 } }).kind).toBe('conflicts');
    const object = applied({ live, by: 'kubectl', spec: { size: 2 } });
    expect(object['spec']).toEqual({ size: 2 });
    expect((object['metadata'] as JsonObject)['annotations']).toEqual({
      [name]:
        '{"apiVersion":"example.dev/v1","kind":"Example","metadata":{"name":"x"},"spec":{"size":2}}\n',
    });
  });

  it('still conflicts over fields that changed since, or that the annotation lacks', () => {
    const changed = attempt({
      live: annotated({ size: 1 }, { size: 3 }),
      by: 'kubectl',
      spec: { size: 2 },
    });
    expect(changed).toMatchObject({ kind: 'conflicts', conflicts: [{ field: '.spec.size' }] });
    const other = annotated({ size: 1 }, { size: 1, args: ['x'] });
    expect(attempt({ live: other, by: 'kubectl', spec: { size: 2, args: ['y'] } })).toMatchObject({
      conflicts: [{ field: '.spec.args' }],
    });
  });

  it('ignores an annotation that is not JSON', () => {
    const live = annotated({ size: 1 });
    (live['metadata'] as JsonObject)['annotations'] = { [name]: '{' };
    expect(attempt({ live, by: 'kubectl', spec: { size: 2 } }).kind).toBe('conflicts');
  });
});

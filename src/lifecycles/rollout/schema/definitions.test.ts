import { describe, expect, it } from 'vitest';

import { everyPart, schemaOf } from '../../../../test/fixtures/definition-parts.ts';
import type { StructuralSchema } from '../../../controller/definitions/structural-schema.ts';
import { rolloutDefinitions } from './definitions.ts';

const definitions = rolloutDefinitions();

describe('the definitions of the rollout kinds', () => {
  it('describe every field', () => {
    const bare = definitions.flatMap((definition) =>
      everyPart(schemaOf(definition))
        .filter(([path, { description }]) => description === undefined && !path.endsWith('*'))
        .map(([path]) => `${definition.spec.names.kind}${path}`),
    );
    expect(bare).toEqual(['DeploymentLifecycle.metadata', 'HookRun.metadata']);
  });

  it('have validation rules', () => {
    const ruled = definitions.flatMap((definition) =>
      everyPart(schemaOf(definition)).flatMap(([path, part]) =>
        (part['x-kubernetes-validations'] ?? []).map(({ rule }) => `${path}: ${rule}`),
      ),
    );
    expect(ruled).toEqual([
      '.spec.deploymentName: self == oldSelf',
      '.spec.rollingUpdate: !has(self.mid)',
      ".spec.rollingUpdate.post: !has(self.failurePolicy) || self.failurePolicy != 'Abort'",
    ]);
  });

  it('bound only fields that users write', () => {
    const bounded = (part: StructuralSchema): boolean =>
      ['minimum', 'maximum', 'maxLength', 'maxItems', 'enum'].some((word) => word in part);
    const paths = definitions.flatMap((definition) =>
      everyPart(schemaOf(definition))
        .filter(([, part]) => bounded(part))
        .map(([path]) => `${definition.spec.names.kind}${path}`),
    );
    expect(paths.length).toBeGreaterThan(50);
    expect(paths.filter((path) => !path.startsWith('DeploymentLifecycle.spec.'))).toEqual([]);
  });

  it('bound every string and list that users write', () => {
    const [lifecycle] = definitions;
    if (lifecycle === undefined) throw new Error('there is no DeploymentLifecycle');
    const open = everyPart(schemaOf(lifecycle)).filter(([path, part]) => {
      if (!path.startsWith('.spec')) return false;
      if (part.type === 'array') return part.maxItems === undefined;
      return part.type === 'string' && part.maxLength === undefined && part.enum === undefined;
    });
    expect(open.map(([path]) => path)).toEqual([]);
  });

  it('preserve unknown fields of Kubernetes types', () => {
    const kept = definitions.flatMap((definition) =>
      everyPart(schemaOf(definition))
        .filter(([, part]) => part['x-kubernetes-preserve-unknown-fields'] === true)
        .map(([path]) => path),
    );
    expect(kept).toContain('.status.released.template');
    expect(kept).toContain('.spec.recreate.mid.execNewPod.overrides.affinity');
    expect(kept).toContain('.spec.hook');
  });
});

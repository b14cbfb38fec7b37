import { describe, expect, it } from 'vitest';
import { builtinDefinitions } from './definitions.ts';

const context = {
  gates: { PodLifecycleSleepAction: true, PodLifecycleSleepActionAllowZero: true },
  now: '2026-01-01T00:00:00Z',
};

const find = (plural: string, group: string) => {
  const found = builtinDefinitions().find(
    (definition) => definition.plural === plural && definition.group === group,
  );
  if (found === undefined) throw new Error(`no ${plural} in ${group}`);
  return found;
};

describe('the built-in kinds', () => {
  it('are unique, each with its own type', () => {
    const names = builtinDefinitions().map(
      ({ group, version, kind }) => `${group}/${version} ${kind}`,
    );
    expect(new Set(names).size).toBe(names.length);
    for (const { kind, type } of builtinDefinitions()) {
      expect(type).toMatchObject({ kind: 'struct', typeName: kind });
    }
  });

  it('drop a status on create, and keep the stored one on update', () => {
    const services = find('services', '');
    const sent = {
      metadata: { name: 'a' },
      status: { loadBalancer: { ingress: [{ ip: '1.2.3.4' }] } },
    };
    expect(services.prepareForCreate(sent, context)['status']).not.toHaveProperty(
      'loadBalancer.ingress',
    );
    const stored = { metadata: { name: 'a' }, status: { conditions: [{ type: 'old' }] } };
    expect(services.prepareForUpdate(sent, stored, context)['status']).toEqual(stored.status);
  });

  it('take only the status from a status update', () => {
    const deployments = find('deployments', 'apps');
    const stored = { metadata: { name: 'a', labels: { a: '1' } }, spec: { replicas: 1 } };
    const sent = { metadata: { name: 'a' }, spec: { replicas: 5 }, status: { replicas: 1 } };
    expect(deployments.prepareForStatusUpdate(sent, stored, context)).toEqual({
      ...stored,
      status: { replicas: 1 },
    });
  });

  it('count generations: 1 on create, one more when the spec changed', () => {
    const sets = find('replicasets', 'apps');
    const created = sets.prepareForCreate(
      { metadata: { name: 'a', generation: 7 }, spec: {} },
      context,
    );
    expect(created).toHaveProperty('metadata.generation', 1);
    const labelled = { ...created, metadata: { name: 'a', labels: { b: 'c' } } };
    expect(sets.prepareForUpdate(labelled, created, context)).toHaveProperty(
      'metadata.generation',
      1,
    );
    const scaled = { ...created, spec: { replicas: 4 } };
    expect(sets.prepareForUpdate(scaled, created, context)).toHaveProperty(
      'metadata.generation',
      2,
    );
  });

  it('warn only when no controller acts on them', () => {
    expect(find('ingresses', 'networking.k8s.io').inertWarning).toContain('Ingress is stored');
    expect(find('deployments', 'apps').inertWarning).toBeUndefined();
  });
});

import { describe, expect, it } from 'vitest';

import { apiVersionOf, resourceName } from './object.ts';
import { deployments, makeResource, nodes, pods } from './resources.ts';

describe('makeResource', () => {
  it('takes group and version from the apiVersion', () => {
    expect([pods.group, pods.version]).toEqual(['', 'v1']);
    expect([deployments.group, deployments.version]).toEqual(['apps', 'v1']);
    expect(apiVersionOf(pods)).toBe('v1');
    expect(apiVersionOf(deployments)).toBe('apps/v1');
  });

  it('builds the plural of the kind unless one is given', () => {
    expect(resourceName(deployments)).toBe('deployments.apps');
    const apiVersion = 'example.com/v1beta1';
    expect(makeResource({ apiVersion, kind: 'Foot', plural: 'feet' }).plural).toBe('feet');
  });

  it('makes a namespaced resource unless namespaced is false', () => {
    expect(pods.namespaced).toBe(true);
    expect(nodes.namespaced).toBe(false);
  });
});

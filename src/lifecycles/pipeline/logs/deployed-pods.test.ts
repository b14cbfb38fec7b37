import type { Pod } from 'kubernetes-types/core/v1.js';
import { describe, expect, test } from 'vitest';

import type { KubeObject } from '../../../kube/object.ts';
import { deployedPods, logSource } from './deployed-pods.ts';

function pod(name: string, image: string, more: object = {}): Pod {
  const containers = [{ name: 'c', image }];
  return { metadata: { name, namespace: 'shop', ...more }, spec: { containers } };
}

function workload(kind: string, name: string): KubeObject {
  const spec = { selector: { matchLabels: { app: name } } };
  return { kind, metadata: { name, namespace: 'shop' }, spec } as KubeObject;
}

const ownedBy = (job: string): object => ({
  ownerReferences: [{ apiVersion: 'batch/v1', kind: 'Job', name: job, uid: 'u' }],
});

describe('deployed pods', () => {
  test('are those that the selector of a workload matches in its namespace', () => {
    const isMeant = deployedPods([workload('Deployment', 'web')], new Set());
    const labels = { app: 'web' };
    expect(isMeant(pod('web-1', 'i', { labels }))).toBe(true);
    expect(isMeant(pod('api-1', 'i', { labels: { app: 'api' } }))).toBe(false);
    expect(isMeant(pod('web-1', 'i', { labels, namespace: 'other' }))).toBe(false);
  });

  test('are those of deployed Jobs and CronJobs, and deployed Pods', () => {
    const objects = [workload('Job', 'once'), workload('CronJob', 'nightly'), workload('Pod', 'p')];
    const isMeant = deployedPods(objects, new Set());
    expect(isMeant(pod('once-x', 'i', ownedBy('once')))).toBe(true);
    expect(isMeant(pod('nightly-x', 'i', ownedBy('nightly-29382')))).toBe(true);
    expect(isMeant(pod('other-x', 'i', ownedBy('nightly-other')))).toBe(false);
    expect(isMeant(pod('p', 'i'))).toBe(true);
    expect(isMeant(pod('q', 'i'))).toBe(false);
  });

  test('are only those with a built image when images were built', () => {
    const objects = [workload('Pod', 'web'), workload('Pod', 'redis')];
    const isMeant = deployedPods(objects, new Set(['shop/web']));
    expect(isMeant(pod('web', 'shop/web:v1'))).toBe(true);
    expect(isMeant(pod('redis', 'redis:7'))).toBe(false);
  });
});

test('logSource names a log line by deploy.logs.prefix', () => {
  const web = { pod: 'web-1', container: 'app' };
  expect(logSource('container', web)).toBe('app');
  expect(logSource('podAndContainer', web)).toBe('web-1/app');
  expect(logSource('auto', web)).toBe('web-1/app');
  expect(logSource('auto', { pod: 'app', container: 'app' })).toBe('app');
  expect(logSource('none', web)).toBe('');
});

import { expect, it } from 'vitest';

import { readResourcePath } from './request-info.ts';

it.each([
  ['/api/v1/namespaces/n/pods/a/log', { namespace: 'n', plural: 'pods', name: 'a' }],
  ['/api/v1/namespaces/n', { namespace: 'n', plural: 'namespaces', name: 'n' }],
  ['/api/v1/namespaces/n/status', { plural: 'namespaces', name: 'n', subresource: 'status' }],
  ['/apis/apps/v1/deployments', { group: 'apps', plural: 'deployments', namespace: '' }],
  ['/apis/example.com/v1/namespaces/n/namespaces', { namespace: 'n', plural: 'namespaces' }],
])('the path %s refers to %j', (path, info) => {
  expect(readResourcePath(path)).toMatchObject(info);
});

it.each(['/healthz', '/api/v1', '/api/v1/namespaces/n/namespaces', '/api/v1/pods/a/b/c'])(
  'the path %s refers to no resource',
  (path) => {
    expect(readResourcePath(path)).toBeNull();
  },
);

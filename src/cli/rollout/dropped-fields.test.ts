import { expect, it } from 'vitest';

import type { JsonObject } from '../../kube/object.ts';
import { withoutDropped } from './dropped-fields.ts';

const template = (podSpec: JsonObject): JsonObject => ({ template: { spec: podSpec } });

it('removes a field that only the last manifest has, and keeps one of another client', () => {
  const last = template({ priority: 1, dnsPolicy: 'None' });
  const next = template({ dnsPolicy: 'None' });
  const object = template({ priority: 1, dnsPolicy: 'None', nodeName: 'by-another' });
  expect(withoutDropped(object, { last, next })).toEqual(
    template({ dnsPolicy: 'None', nodeName: 'by-another' }),
  );
});

it('removes an item of a keyed list, and fields of the items that stay', () => {
  const last = template({
    containers: [
      { name: 'web', env: [{ name: 'A' }, { name: 'B' }], tty: true },
      { name: 'proxy' },
    ],
  });
  const next = template({ containers: [{ name: 'web', env: [{ name: 'B' }] }] });
  const injected = { name: 'injected', tty: true };
  const object = template({
    containers: [
      { name: 'web', env: [{ name: 'A' }, { name: 'B' }, { name: 'C' }], tty: true },
      { name: 'proxy' },
      injected,
    ],
  });
  expect(withoutDropped(object, { last, next })).toEqual(
    template({ containers: [{ name: 'web', env: [{ name: 'B' }, { name: 'C' }] }, injected] }),
  );
});

it.each([
  ['ports', 'containerPort'],
  ['volumeMounts', 'mountPath'],
  ['volumeDevices', 'devicePath'],
  ['hostAliases', 'ip'],
  ['topologySpreadConstraints', 'topologyKey'],
  ['initContainers', 'name'],
  ['volumes', 'name'],
])('knows the items of %s by their %s', (list, key) => {
  const [kept, dropped] = [{ [key]: 'kept' }, { [key]: 'dropped' }];
  const found = withoutDropped(
    { [list]: [kept, dropped] },
    { last: { [list]: [kept, dropped] }, next: { [list]: [kept] } },
  );
  expect(found).toEqual({ [list]: [kept] });
});

it('removes a whole list or struct that the manifest no longer has', () => {
  const last = { env: [{ name: 'A' }], probe: { port: 1 } };
  expect(withoutDropped({ env: [{ name: 'B' }], probe: { port: 2 } }, { last, next: {} })).toEqual(
    {},
  );
});

it('leaves other lists as the server has merged them', () => {
  const object = { args: ['new'], finalizers: ['a'] };
  const manifests = {
    last: { args: ['old'], finalizers: ['b'] },
    next: { args: ['new'], finalizers: [] },
  };
  expect(withoutDropped(object, manifests)).toBe(object);
});

it('returns the same object if nothing has to be removed', () => {
  const object = template({ containers: [{ name: 'web', env: [{ name: 'A' }] }] });
  expect(withoutDropped(object, { last: object, next: object })).toBe(object);
  expect(withoutDropped(object, { last: {}, next: {} })).toBe(object);
});

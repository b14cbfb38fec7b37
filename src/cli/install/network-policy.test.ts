import { expect, it } from 'vitest';

import { networkPolicy } from './install-objects.ts';
import type { InstallOptions } from './install-options.ts';

const options: InstallOptions = {
  namespace: 'n',
  namespaced: false,
  image: 'i',
  replicas: 1,
  snapshotKinds: false,
  timeline: true,
};
const specOf = (more: Partial<InstallOptions> = {}) => networkPolicy({ ...options, ...more }).spec;

it('lets the controllers out to the API server, to name servers and to hooked pods, and nowhere else', () => {
  const spec = specOf();
  expect(spec?.policyTypes).toEqual(['Ingress', 'Egress']);
  expect(spec?.egress).toEqual([
    {
      to: [
        { ipBlock: { cidr: '0.0.0.0/0', except: ['169.254.0.0/16'] } },
        { ipBlock: { cidr: '::/0', except: ['fe80::/10'] } },
      ],
      ports: [
        { port: 443, protocol: 'TCP' },
        { port: 6443, protocol: 'TCP' },
      ],
    },
    {
      ports: [
        { port: 53, protocol: 'UDP' },
        { port: 53, protocol: 'TCP' },
      ],
    },
    { to: [{ namespaceSelector: {} }] },
  ]);
});

it('with --namespaced lets them out to the pods of that namespace only', () => {
  expect(specOf({ namespaced: true })?.egress?.[2]).toEqual({ to: [{ podSelector: {} }] });
});

it('takes the ports of the API server, and the addresses that hooks may go to', () => {
  const hookHosts = ['db.example', '10.0.0.7', '10.1.0.0/16', 'fd00::7'];
  const egress = specOf({ apiPorts: [16_443], hookHosts })?.egress ?? [];
  expect(egress[0]?.ports).toEqual([{ port: 16_443, protocol: 'TCP' }]);
  expect(egress.at(-1)).toEqual({
    to: ['10.0.0.7/32', '10.1.0.0/16', 'fd00::7/128'].map((cidr) => ({ ipBlock: { cidr } })),
  });
});

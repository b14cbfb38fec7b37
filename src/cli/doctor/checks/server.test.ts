import { describe, expect, it } from 'vitest';

import {
  factsWith,
  healthyCluster,
  healthyLocal,
  NOW_MS,
} from '../../../../test/fixtures/doctor-facts.ts';
import { OLDEST_TESTED_MINOR } from '../../controller/supported-server.ts';
import type { ClusterFacts, Facts } from '../facts.ts';
import { clockSkew, kubeconfig, reachable, serverVersion } from './server.ts';

const on = (cluster: ClusterFacts): Facts => ({ local: healthyLocal, cluster });

describe('the check of the kubeconfig', () => {
  it('warns that only this machine was checked, with the kubeconfig of a cluster that runs', () => {
    const [none] = kubeconfig(on({ kind: 'none', localKubeconfig: null }));
    expect(none).toMatchObject({ result: 'warning' });
    expect(none?.next).toContain('lifehook up');
    const [running] = kubeconfig(on({ kind: 'none', localKubeconfig: '/s/kubeconfig' }));
    expect(running?.next).toBe('export KUBECONFIG=/s/kubeconfig');
    const [odd] = kubeconfig(on({ kind: 'none', localKubeconfig: '/s; x/kubeconfig' }));
    expect(odd?.next).toBe("export KUBECONFIG='/s; x/kubeconfig'");
  });

  it('gives the problems of one that cannot be used as errors', () => {
    const message = 'The kubeconfig /x does not exist.';
    const problem = { code: 'LHK001', severity: 'error', message, next: 'Correct it.' } as const;
    expect(kubeconfig(on({ kind: 'unusable', problems: [problem] }))).toEqual([
      { check: 'kubeconfig', result: 'error', found: message, next: 'Correct it.' },
    ]);
  });
});

describe('the check of the server', () => {
  it('is an error where it does not answer, with the context', () => {
    const { source, server } = healthyCluster;
    const [found] = reachable(on({ kind: 'unreachable', source, server, why: 'ECONNREFUSED' }));
    expect(found?.result).toBe('error');
    expect(found?.found).toBe('https://10.0.0.1:6443 cannot be used: ECONNREFUSED');
    expect(found?.next).toContain('context "prod"');
  });

  it('leads to new credentials where the server refuses them', () => {
    const { source, server } = healthyCluster;
    const why = 'it answered 401: Unauthorized';
    const [found] = reachable(on({ kind: 'unreachable', source, server, why, isRefused: true }));
    expect(found?.found).toBe(
      'https://10.0.0.1:6443 refuses the credentials: it answered 401: Unauthorized',
    );
    expect(found?.next).toMatch(/^Log in again to renew the credentials of context "prod"/);
  });

  it.each([
    [38, 'ok'],
    [OLDEST_TESTED_MINOR, 'ok'],
    [OLDEST_TESTED_MINOR - 1, 'warning'],
    [29, 'error'],
  ])('takes release 1.%d for %s', (minor, result) => {
    const version = { major: 1, minor, text: `v1.${minor}.0` };
    expect(serverVersion(factsWith({ version }))).toMatchObject([{ result }]);
  });
});

describe('the check of the clocks', () => {
  const at = (serverMs: number | null): Facts =>
    factsWith({ clock: { localMs: NOW_MS, serverMs, roundTripMs: 8 } });

  it('takes a second of the Date header for none', () => {
    expect(clockSkew(factsWith({}))).toMatchObject([{ result: 'ok' }, { result: 'ok' }]);
  });

  it.each([
    [NOW_MS - 60_500, 'this machine is 1 min 0 s ahead of the server'],
    [NOW_MS + 29_500, 'this machine is 30 s behind the server'],
  ])('warns of a server whose clock is at %d', (serverMs, text) => {
    const [found] = clockSkew(at(serverMs));
    expect(found).toMatchObject({ result: 'warning', found: text });
  });

  it('warns where no Date header was sent', () => {
    expect(clockSkew(at(null))).toMatchObject([{ result: 'warning' }]);
  });

  it.each([
    ['2026-03-01T12:00:20Z', 'ahead of'],
    ['2026-03-01T11:58:00Z', 'behind'],
  ])('warns of a controller that renewed its Lease at %s', (renewTime, side) => {
    const { controllers } = healthyCluster;
    const spec = { holderIdentity: 'pod-a', leaseDurationSeconds: 15, renewTime };
    const renewed = { ...controllers.renewed, spec };
    const [, found] = clockSkew(factsWith({ controllers: { ...controllers, renewed } }));
    expect(found?.result).toBe('warning');
    expect(found?.found).toMatch(
      new RegExp(`^the clock of the controller pod-a is about .* ${side} the server`),
    );
  });

  it('compares a renewal that it waited for with the time at which it saw the renewal', () => {
    const { controllers } = healthyCluster;
    const renewTime = '2026-03-01T12:00:13Z';
    const spec = { holderIdentity: 'pod-a', leaseDurationSeconds: 15, renewTime };
    const renewed = { ...controllers.renewed, spec };
    const seen = { ...controllers, renewed, renewalSeenMs: NOW_MS + 13_000 };
    expect(clockSkew(factsWith({ controllers: seen }))).toMatchObject([
      { result: 'ok' },
      { result: 'ok' },
    ]);
  });
});

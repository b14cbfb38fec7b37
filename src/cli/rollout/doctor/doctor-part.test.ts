import { describe, expect, it } from 'vitest';

import { healthyGate } from '../../../../test/fixtures/doctor-facts.ts';
import { webhookArmed } from './doctor-part.ts';
import type { DryRun, GateFacts } from './gather-gate.ts';

describe('the check of the webhook', () => {
  const gateWith = (changed: Partial<GateFacts>): GateFacts => ({ ...healthyGate, ...changed });
  const deployment = { namespace: 'shop', name: 'web' };
  const right = { verb: 'patch', group: 'apps', resource: 'deployments', namespace: 'shop' };
  const judged = (reason: 'Armed' | 'NotStamped' | 'Conflict'): DryRun['proof'] => ({
    kind: 'known',
    value: { armed: reason === 'Armed', reason, message: 'what came back' },
  });

  it.each([
    ['an armed gate', judged('Armed'), 'ok'],
    ['a change without a number', judged('NotStamped'), 'error'],
    ['other writers', judged('Conflict'), 'warning'],
    ['a refused dry run', { kind: 'failed', why: 'x509' }, 'error'],
    ['a Deployment that does not exist', { kind: 'absent' }, 'warning'],
    ['a missing right', { kind: 'refused', right }, 'warning'],
  ] as const)('takes %s for %s', (_what, proof, result) => {
    expect(webhookArmed(gateWith({ dryRuns: [{ deployment, proof }] }))).toMatchObject([
      { result },
    ]);
  });

  it('gives configurations that are missing as errors, unreadable ones as warnings', () => {
    const value = [
      { what: 'mutating webhook', result: 'failed', reported: 'there is none', next: 'Start it.' },
      {
        what: 'validating webhook',
        result: 'unknown',
        reported: 'you may not read webhook configurations',
      },
      { what: 'ReplicaSets', result: 'ok', reported: 'judged' },
    ] as const;
    const found = webhookArmed(gateWith({ proofs: { kind: 'known', value }, dryRuns: [] }));
    expect(found.map(({ result }) => result)).toEqual(['error', 'warning']);
    expect(found[1]?.next).toContain('validatingwebhookconfigurations');
  });

  it('is one warning where no webhook is installed and none is needed', () => {
    const failed = { what: 'webhook', result: 'failed', reported: 'there is none' } as const;
    const proofs = { kind: 'known', value: [failed, failed] } as const;
    const proof = judged('NotStamped');
    const unused = webhookArmed(gateWith({ proofs, dryRuns: [{ deployment: null, proof }] }));
    expect(unused.map(({ result }) => result)).toEqual(['warning']);
    const needed = webhookArmed(gateWith({ proofs, dryRuns: [{ deployment, proof }] }));
    expect(needed.map(({ result }) => result)).toEqual(['error', 'error', 'error']);
  });
});

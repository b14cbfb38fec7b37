import { describe, expect, it } from 'vitest';

import { factsWith, healthyCluster, kindFacts } from '../../../../test/fixtures/doctor-facts.ts';
import type { ControllerFacts, DryRun, GateFacts } from '../facts.ts';
import { controllerAtWork, controllerRights, userRights, webhookArmed } from './controller.ts';

const { controllers, gate } = healthyCluster;
const withControllers = (changed: Partial<ControllerFacts>): ReturnType<typeof factsWith> =>
  factsWith({ controllers: { ...controllers, ...changed } });
const withGate = (changed: Partial<GateFacts>): ReturnType<typeof factsWith> =>
  factsWith({ gate: { ...gate, ...changed } });

describe('the check of the controller', () => {
  it('is an error without a Lease, and with one that nobody renews', () => {
    const none = withControllers({ leases: { kind: 'known', value: [] }, renewed: null });
    expect(controllerAtWork(none)).toMatchObject([
      { result: 'error', found: 'no controller has a Lease' },
    ]);
    const [found] = controllerAtWork(withControllers({ renewed: null }));
    expect(found?.result).toBe('error');
    expect(found?.found).toContain('lifehook-system/lifehook-controller');
  });

  it.each([
    [0, 'error'],
    [1, 'warning'],
  ])('takes %d of 2 ready pods for %s', (readyReplicas, result) => {
    const one = {
      metadata: { namespace: 'lifehook-system', name: 'lifehook-controller' },
      spec: { replicas: 2, selector: {}, template: {} },
      status: { readyReplicas },
    };
    const found = controllerAtWork(
      withControllers({ deployments: { kind: 'known', value: [one] } }),
    );
    expect(found.map((each) => each.result)).toEqual(['ok', result]);
  });

  it('is silent where our kinds are not installed', () => {
    const kinds = [kindFacts('HookRun', { isServed: false })];
    expect(controllerAtWork(factsWith({ kinds }))).toEqual([]);
    expect(webhookArmed(factsWith({ kinds }))).toEqual([]);
  });
});

describe('the check of rights', () => {
  it('names what the service account may not do, and the rules that give it', () => {
    const value = [
      { verb: 'create', resource: 'pods/exec' },
      { verb: 'list', resource: 'executionhooks.lifehook.dev' },
      { verb: 'watch', resource: 'executionhooks.lifehook.dev' },
    ];
    const missing = [{ account: 'a/b', permissions: { kind: 'known', value } as const }];
    const [found] = controllerRights(withControllers({ missing }));
    expect(found).toMatchObject({
      result: 'error',
      found:
        'service account a/b may not create pods/exec, list executionhooks.lifehook.dev, watch executionhooks.lifehook.dev',
    });
    expect(found?.next).toContain(
      '{apiGroups: [""], resources: [pods/exec], verbs: [create]}, {apiGroups: [lifehook.dev], resources: [executionhooks], verbs: [list, watch]}',
    );
  });

  it('warns with the rule where the user lacks a right', () => {
    const value = [{ verb: 'create', resource: 'applicationsnapshots.lifehook.dev' }];
    const [found] = userRights(factsWith({ missing: { kind: 'known', value } }));
    expect(found?.result).toBe('warning');
    expect(found?.found).toContain('in namespace shop you may not create applicationsnapshots');
    expect(found?.next).toContain('resources: [applicationsnapshots], verbs: [create]');
  });

  it('is ok where none is missing', () => {
    expect(controllerRights(factsWith({}))).toMatchObject([{ result: 'ok' }]);
    expect(userRights(factsWith({}))).toMatchObject([{ result: 'ok' }]);
  });
});

describe('the check of the webhook', () => {
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
    expect(webhookArmed(withGate({ dryRuns: [{ deployment, proof }] }))).toMatchObject([
      { result },
    ]);
  });

  it('gives configurations that are missing as errors, unreadable ones as warnings', () => {
    const value = [
      { what: 'mutating webhook', result: 'failed', told: 'there is none', next: 'Start it.' },
      { what: 'validating webhook', result: 'unknown', told: 'you may not read its kind' },
      { what: 'ReplicaSets', result: 'ok', told: 'judged' },
    ] as const;
    const found = webhookArmed(withGate({ proofs: { kind: 'known', value }, dryRuns: [] }));
    expect(found.map(({ result }) => result)).toEqual(['error', 'warning']);
    expect(found[1]?.next).toContain('validatingwebhookconfigurations');
  });

  it('is one warning where no webhook is installed and none is needed', () => {
    const failed = { what: 'webhook', result: 'failed', told: 'there is none' } as const;
    const proofs = { kind: 'known', value: [failed, failed] } as const;
    const proof = judged('NotStamped');
    const unused = webhookArmed(withGate({ proofs, dryRuns: [{ deployment: null, proof }] }));
    expect(unused.map(({ result }) => result)).toEqual(['warning']);
    const needed = webhookArmed(withGate({ proofs, dryRuns: [{ deployment, proof }] }));
    expect(needed.map(({ result }) => result)).toEqual(['error', 'error', 'error']);
  });
});

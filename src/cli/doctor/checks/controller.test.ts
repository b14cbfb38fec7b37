import { describe, expect, it } from 'vitest';

import { factsWith, healthyCluster, kindFacts } from '../../../../test/fixtures/doctor-facts.ts';
import type { ControllerFacts } from '../facts.ts';
import { diagnose } from '../run-doctor.ts';
import { controllerAtWork, controllerRights, userRights } from './controller.ts';

const { controllers } = healthyCluster;
const withControllers = (changed: Partial<ControllerFacts>): ReturnType<typeof factsWith> =>
  factsWith({ controllers: { ...controllers, ...changed } });

describe('the check of the controller', () => {
  it('is an error without a Lease, and with one that no controller renews', () => {
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
    const checks = diagnose(factsWith({ kinds })).map(({ check }) => check);
    expect(checks).toContain('kinds');
    expect(checks).not.toContain('webhook');
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

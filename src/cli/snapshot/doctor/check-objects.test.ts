import { describe, expect, it } from 'vitest';

import {
  frozenHook,
  healthyCluster,
  healthyObjects,
} from '../../../../test/fixtures/doctor-facts.ts';
import type { ExecutionHook } from '../../../lifecycles/snapshot/kinds.ts';
import type { Finding } from '../../doctor/finding.ts';
import { frozenNow, templates } from './check-objects.ts';
import type { ObjectFacts } from './gather-objects.ts';

const withObjects = (changed: Partial<ObjectFacts>): ObjectFacts => ({
  ...healthyObjects,
  ...changed,
});
const withHooks = (...items: ExecutionHook[]): ObjectFacts =>
  withObjects({ hooks: { kind: 'known', value: { items } } });
const frozenIn = (objects: ObjectFacts): readonly Finding[] =>
  frozenNow(objects, healthyCluster.clock);
const right = { verb: 'list', group: 'lifehook.dev', resource: 'executionhooks' };

describe('the check of templates', () => {
  const reference = { namespace: 'shop', template: 'freeze', by: 'ExecutionHook night' };

  it('is an error where one is referred to and does not exist', () => {
    const facts = withObjects({ templates: [{ ...reference, found: { kind: 'absent' } }] });
    expect(templates(facts)).toMatchObject([
      {
        result: 'error',
        found:
          'ExecutionHook night in namespace shop refers to ExecutionHookTemplate freeze, which does not exist',
      },
    ]);
  });

  it('warns where one may not be read', () => {
    const found = { kind: 'refused', right } as const;
    expect(templates(withObjects({ templates: [{ ...reference, found }] }))).toMatchObject([
      { result: 'warning' },
    ]);
  });

  it('is ok where all exist', () => {
    const found = { kind: 'known', value: {} } as const;
    expect(templates(withObjects({ templates: [{ ...reference, found }] }))).toMatchObject([
      { result: 'ok' },
    ]);
  });
});

describe('the check of what is frozen', () => {
  const THAW = 'lifehook snapshot thaw night -n shop';
  const unproven = { thawUnproven: { at: '2026-03-01T11:59:00Z', reason: 'PodDeleted' } };
  const overdue = { postActionStatus: { actionSucceed: false } };

  const RELEASE = 'snapshot release night -n shop';

  it.each([
    ['a freeze within its expiry', { hook: frozenHook(30), result: 'warning', next: THAW }],
    ['one past it', { hook: frozenHook(70), result: 'error', next: THAW }],
    ['one whose thaw has failed', { hook: frozenHook(30, overdue), result: 'error', next: THAW }],
    [
      'one without a proven thaw',
      { hook: frozenHook(30, unproven), result: 'error', next: RELEASE },
    ],
  ])('gives %s a line with the command', (_what, { hook, result, next }) => {
    const [found] = frozenIn(withHooks(hook));
    expect(found?.result).toBe(result);
    expect(found?.found).toContain('pod shop/db-0, container mysql, by ExecutionHook night');
    expect(found?.next).toContain(next);
  });

  it('is ok where nothing is, also after a thaw', () => {
    expect(frozenIn(withHooks())).toMatchObject([{ result: 'ok' }]);
    expect(frozenIn(withHooks(frozenHook(30, { thawedBy: 'post' })))).toMatchObject([
      { result: 'ok' },
    ]);
  });

  it('warns with the right where only one namespace, or none, could be listed', () => {
    const onlyIn = { namespace: 'shop', right };
    const part = frozenIn(withObjects({ hooks: { kind: 'known', value: { items: [], onlyIn } } }));
    expect(part).toMatchObject([{ result: 'warning' }]);
    expect(part[0]?.found).toContain('only namespace shop was checked');
    const none = frozenIn(withObjects({ hooks: { kind: 'refused', right } }));
    expect(none[0]?.found).toBe(
      'what is frozen is not known: you may not list executionhooks.lifehook.dev',
    );
    expect(none[0]?.next).toContain('{apiGroups: [lifehook.dev], resources: [executionhooks]');
  });
});

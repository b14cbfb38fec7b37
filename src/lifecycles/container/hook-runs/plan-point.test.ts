import { describe, expect, it } from 'vitest';
import { MAX_TIMEOUT_SECONDS, type Plan } from '../../../engine/plan.ts';
import type { CommandHandler } from '../../../model/hook.ts';
import type { Point } from '../life/container.ts';
import { commandsOf, planPoint, type PointPlanning } from './plan-point.ts';
import type { OciHook } from '../points.ts';

const source = { kind: 'file', file: '/b/config.json', line: 1, column: 1 } as const;
type More = Partial<PointPlanning>;
const pointOf = (point: Point, hooks: readonly OciHook[], more: More = {}): PointPlanning => ({
  point,
  container: {
    id: 'web',
    instance: '1',
    createdAtMs: 0,
    bundle: '/b',
    rootfs: '/b/rootfs',
    annotations: { a: 'é' },
    runner: { kind: 'process' },
    poststartFailure: 'destroy',
    hooks: { [point]: hooks.map((hook) => ({ hook, source })) },
  },
  moment: { status: 'creating', pid: 7 },
  ...more,
});
const plan = (point: Point, hooks: readonly OciHook[], more?: More): Plan =>
  planPoint(pointOf(point, hooks, more));
/** A container with one hook at this point. */
const planning = (point: Point): Pick<PointPlanning, 'container'> => ({
  container: {
    id: 'web',
    instance: '1',
    createdAtMs: 0,
    bundle: '/b',
    rootfs: '/b/rootfs',
    annotations: {},
    runner: { kind: 'process' },
    poststartFailure: 'destroy',
    hooks: { [point]: [{ hook: { path: '/a' }, source }] },
  },
});
const commandOf = (point: Point, hook: OciHook, more?: More): CommandHandler =>
  commandsOf(pointOf(point, [hook], more)).get(`${point} hook #0`) as CommandHandler;

describe('planPoint', () => {
  it('names each hook by its point and index, and gives its source', () => {
    const { runId, title, steps } = plan('createRuntime', [{ path: '/a' }, { path: '/a' }]);
    expect([runId, title]).toEqual(['web/createRuntime', 'container web, createRuntime']);
    expect(steps.map(({ name }) => name)).toEqual([
      'createRuntime hook #0',
      'createRuntime hook #1',
    ]);
    expect(steps[1]).toMatchObject({ kind: 'main', source, policy: { retry: { limit: 0 } } });
  });

  it('writes the state of the OCI specification to stdin', () => {
    expect(JSON.parse(commandOf('prestart', { path: '/a' }).stdin ?? '')).toEqual({
      ociVersion: '1.3.0',
      id: 'web',
      status: 'creating',
      pid: 7,
      bundle: '/b',
      annotations: { a: 'é' },
    });
  });

  it.each([
    ['absent args are the path', { path: '/a' }, ['/a']],
    ['empty args are the path', { path: '/a', args: [] }, ['/a']],
    [
      'args are the whole argv (OCI-CASE28)',
      { path: '/a', args: ['x', '', 'y z'] },
      ['x', '', 'y z'],
    ],
  ])('gives a hook its argv: %s', (_, hook, command) => {
    expect(commandOf('prestart', hook)).toMatchObject({ path: '/a', command });
  });

  it('gives a hook its own environment and two LIFEHOOK variables that it cannot override (OCI-CASE25)', () => {
    const ours = { LIFEHOOK_STAGE: 'prestart', LIFEHOOK_CONTAINER_ID: 'web' };
    expect(commandOf('prestart', { path: '/a' }).env).toEqual(ours);
    const env = ['A=1', 'A=2=3', 'LIFEHOOK_STAGE=other'];
    expect(commandOf('prestart', { path: '/a', env }).env).toEqual({ A: '2=3', ...ours });
  });

  it.each([
    [{ exitCode: 7, signal: null }, '7', ''],
    [{ exitCode: null, signal: 'SIGKILL' }, '', 'SIGKILL'],
    [{ exitCode: null, signal: null }, '', ''],
  ])(
    'passes the exit %j to postexit hooks in the state and the environment',
    (...[end, code, signal]) => {
      const exit = { ...end, endedAtMs: 0, reason: '' };
      const moment = { status: 'stopped', pid: null, exit } as const;
      const { env, stdin } = commandOf('postexit', { path: '/a' }, { moment });
      expect(env).toMatchObject({ LIFEHOOK_EXIT_CODE: code, LIFEHOOK_EXIT_SIGNAL: signal });
      expect(JSON.parse(stdin ?? '')).toMatchObject({ status: 'stopped', ...end });
      expect(JSON.parse(stdin ?? '')).not.toHaveProperty('pid');
    },
  );

  it.each([
    ['prestart', '/b'],
    ['createRuntime', '/b'],
    ['createContainer', '/b/rootfs'],
    ['startContainer', '/b/rootfs'],
    ['poststart', '/b'],
    ['poststop', '/b'],
    ['postexit', '/b'],
  ] as const)('starts %s hooks in %s', (point, cwd) => {
    expect(commandOf(point, { path: '/a' }).cwd).toBe(cwd);
  });

  it.each([
    ['prestart', 'Abort'],
    ['startContainer', 'Abort'],
    ['poststart', 'Abort'],
    ['poststop', 'Ignore'],
    ['postexit', 'Ignore'],
  ] as const)('gives a %s hook the failure policy %s', (point, policy) => {
    expect(plan(point, [{ path: '/a' }]).steps[0]?.policy.failurePolicy).toBe(policy);
  });

  it.each([
    ['poststart', 'Ignore'],
    ['startContainer', 'Abort'],
    ['prestart', 'Abort'],
    ['poststop', 'Ignore'],
  ] as const)(
    'OCI-CASE30: gives a %s hook the policy %s where poststart only warns',
    (point, policy) => {
      const { container } = planning(point);
      const more = { container: { ...container, poststartFailure: 'warn' } } as const;
      expect(plan(point, [], more).steps[0]?.policy.failurePolicy).toBe(policy);
    },
  );

  it('plans nothing at a point without hooks', () => {
    const { container } = planning('prestart');
    expect(plan('prestart', [], { container: { ...container, hooks: {} } }).steps).toEqual([]);
  });

  it('gives no exit where the moment has none', () => {
    const moment = { status: 'stopped', pid: null, exit: null } as const;
    const { kind, env, stdin } = commandOf('poststop', { path: '/a' }, { moment });
    expect([kind, Object.keys(env ?? {})]).toEqual([
      'command',
      ['LIFEHOOK_STAGE', 'LIFEHOOK_CONTAINER_ID'],
    ]);
    expect(JSON.parse(stdin ?? '')).not.toHaveProperty('exitCode');
  });

  it('limits a timeout to the longest that the engine accepts', () => {
    const timeoutOf = (hook: OciHook): number | null | undefined =>
      plan('prestart', [hook]).steps[0]?.policy.timeoutSeconds;
    expect(timeoutOf({ path: '/a' })).toBeNull();
    expect(timeoutOf({ path: '/a', timeout: 5 })).toBe(5);
    expect(timeoutOf({ path: '/a', timeout: 9e9 })).toBe(MAX_TIMEOUT_SECONDS);
  });
});

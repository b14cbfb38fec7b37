import { describe, expect, it } from 'vitest';
import type { Container, Phase } from './life/container.ts';
import {
  refuseDelete,
  refuseKill,
  refuseStart,
  statusOf,
  throwIf,
  type Observed,
} from './decide.ts';

const container: Container = {
  id: 'web',
  instance: '1',
  createdAtMs: 0,
  bundle: '/b',
  rootfs: '/b/rootfs',
  annotations: {},
  runner: { kind: 'process' },
  hooks: {},
  poststartFailure: 'destroy',
  order: {
    command: { file: 'x', argv: ['x'], env: {}, cwd: '/' },
    stdio: 'log',
    pidFile: null,
    undo: null,
  },
};
const process = { pid: 7, started: '1' };
const by = { pid: 8, started: '2' };

const observed = (phase: Phase, more: Partial<Observed> = {}): Observed => ({
  container,
  phase,
  interrupted: false,
  report: null,
  process,
  supervisorAlive: true,
  held: false,
  exit: null,
  ...more,
});

const creating: Phase = { name: 'creating', by };
const created: Phase = { name: 'created' };
const starting: Phase = { name: 'starting', by };
const running: Phase = { name: 'running' };
const deleting: Phase = { name: 'deleting', by };
const exited = { process: null };
const interrupted = { interrupted: true };

describe('statusOf', () => {
  it.each([
    ['creating before there is a process', observed(creating, exited), 'creating'],
    ['creating with a process', observed(creating, { held: true }), 'creating'],
    [
      'a creation that was interrupted',
      observed(creating, { ...interrupted, held: true }),
      'creating',
    ],
    ['a creation that left nothing', observed(creating, { ...interrupted, ...exited }), 'stopped'],
    ['created', observed(created, { held: true }), 'created'],
    ['created, then killed', observed(created, exited), 'stopped'],
    ['starting, process not yet released', observed(starting, { held: true }), 'created'],
    ['starting, process released', observed(starting), 'running'],
    ['a start that was interrupted after that', observed(starting, interrupted), 'running'],
    ['running', observed(running), 'running'],
    ['running, then exited', observed(running, exited), 'stopped'],
    ['deleting', observed(deleting), 'stopped'],
    ['deleting, process still there', observed(deleting, { held: true }), 'stopped'],
    ['starting, then killed', observed(starting, exited), 'stopped'],
    ['created, whose program was let go by somebody else', observed(created), 'created'],
  ])('gives the status of the OCI specification for: %s', (_, facts, status) => {
    expect(statusOf(facts)).toBe(status);
  });
});

describe('refuseStart, refuseKill and refuseDelete (OCI-D4)', () => {
  it.each([
    ['created', observed(created, { held: true }), undefined],
    ['creating', observed(creating), 'LHC214'],
    ['running', observed(running), 'LHC214'],
    ['stopped', observed(running, exited), 'LHC214'],
    ['a start that was interrupted', observed(starting, { ...interrupted, held: true }), 'LHC215'],
    ['created, by a command that was killed since', observed(created, interrupted), undefined],
    ['starting', observed(starting, { held: true }), undefined],
    [
      'created without supervisor',
      observed(created, { held: true, supervisorAlive: false }),
      'LHC216',
    ],
  ])('allow or refuse start by state: %s', (_, facts, code) => {
    expect(refuseStart(facts)?.code).toBe(code);
  });

  it.each([
    ['created', observed(created), undefined],
    ['running', observed(running), undefined],
    ['running, during poststart hooks', observed(starting), undefined],
    ['creating', observed(creating), 'LHC214'],
    ['stopped', observed(running, exited), 'LHC214'],
  ])('allow or refuse kill by state: %s', (_, facts, code) => {
    expect(refuseKill(facts)?.code).toBe(code);
  });

  it.each([
    ['stopped', observed(running, exited), undefined],
    ['deleting', observed(deleting, interrupted), undefined],
    ['a creation that was interrupted', observed(creating, interrupted), undefined],
    ['creating', observed(creating), 'LHC214'],
    ['created', observed(created), 'LHC214'],
    ['running', observed(running), 'LHC214'],
    ['a start that was interrupted', observed(starting, interrupted), 'LHC214'],
  ])('allow or refuse delete by state: %s', (_, facts, code) => {
    expect(refuseDelete(facts, false)?.code).toBe(code);
    expect(refuseDelete(facts, true)).toBeNull();
  });

  const recreate = 'Run `lifehook oci delete --force web` and create it again.';
  const look =
    'See `lifehook oci state web`; `lifehook oci delete --force web` kills and removes it.';
  const stopped = observed(running, exited);
  it.each([
    [
      'LHC214',
      () => refuseStart(observed(running)),
      'Container web cannot be started: it is running, but must be created.',
      look,
    ],
    [
      'LHC214',
      () => refuseKill(stopped),
      'Container web cannot be sent a signal: it is stopped, but must be created or running.',
      look,
    ],
    [
      'LHC214',
      () => refuseDelete(observed(created), false),
      'Container web cannot be deleted: it is created, but must be stopped.',
      look,
    ],
    [
      'LHC215',
      () => refuseStart(observed(starting, interrupted)),
      'The start of container web was interrupted, and it is unknown whether its hooks took effect; it cannot be started a second time.',
      recreate,
    ],
    [
      'LHC216',
      () => refuseStart(observed(created, { supervisorAlive: false })),
      'The supervisor of container web, which owns its output and records its exit, no longer runs.',
      recreate,
    ],
  ])('%s: names the state and the next command', (...[code, refuse, message, next]) => {
    expect(refuse()).toEqual({ code, severity: 'error', message, next });
  });

  it('LHC215 comes before every other reason, and throwIf throws what refuses', () => {
    const lost = observed(starting, { ...interrupted, ...exited, supervisorAlive: false });
    const refusal = refuseStart(lost);
    expect(refusal?.code).toBe('LHC215');
    expect(() => {
      throwIf(refusal);
    }).toThrow('LHC215');
    expect(() => {
      throwIf(null);
    }).not.toThrow();
  });
});

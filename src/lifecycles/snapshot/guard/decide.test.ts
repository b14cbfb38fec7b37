import { describe, expect, it } from 'vitest';

import type {
  AdmittedObject,
  SnapshotGuard,
  ApplicationSnapshot,
  ApplicationSnapshotStatus,
} from '../kinds.ts';
import { decideGuard, KEPT_AT_LEAST_MS, WINDOWS_KEPT } from './decide.ts';
import type { GuardFacts } from './facts.ts';
import { windowName } from './guard-window.ts';

const NOW_MS = Date.parse('2026-01-01T12:00:00Z');
const COMPLETED = new Date(NOW_MS - KEPT_AT_LEAST_MS).toISOString();

const guard: SnapshotGuard = {
  metadata: { namespace: 'shop', name: 'mariadb', generation: 3 },
  spec: { executionHookInfos: [{ executionHookTemplateName: 'lock' }] },
};

function windowOf(number: number, status: ApplicationSnapshotStatus): ApplicationSnapshot {
  return {
    metadata: { namespace: 'shop', name: windowName('mariadb', number) },
    spec: {
      source: { persistentVolumeClaimNames: ['data'] },
      window: { guardName: 'mariadb', freezeTimeoutSeconds: 10, holdOpenSeconds: 0 },
    },
    status,
  };
}

const completed = (number: number): ApplicationSnapshot =>
  windowOf(number, { phase: 'Completed', completedAt: COMPLETED });

function decided(facts: Partial<GuardFacts>): ReturnType<typeof decideGuard> {
  const whole = { guard, windows: [], isEnabled: true, missingTemplates: [], nowMs: NOW_MS };
  return decideGuard({ ...whole, ...facts });
}

const conditionOf = (facts: Partial<GuardFacts>, type: string): object | undefined =>
  decided(facts).status?.conditions?.find((condition) => condition.type === type);

describe('the status of a guard (SNAP-W13)', () => {
  it('is ready where the namespace is enabled and its templates exist', () => {
    expect(conditionOf({}, 'Ready')).toMatchObject({
      status: 'True',
      reason: 'Guarding',
      message: 'Snapshots of its claims are guarded.',
      observedGeneration: 3,
    });
    expect(conditionOf({}, 'Stalled')).toMatchObject({
      status: 'False',
      reason: 'Valid',
      message: 'The spec is valid.',
    });
    expect(decided({}).status?.conditions?.map(({ type }) => type)).toEqual(['Ready', 'Stalled']);
  });

  it('says which label the namespace lacks', () => {
    expect(conditionOf({ isEnabled: false }, 'Ready')).toMatchObject({
      status: 'False',
      reason: 'NamespaceNotEnabled',
      message:
        'Snapshots are not guarded: run kubectl label namespace shop lifehook.dev/snapshot-guard=enabled',
    });
  });

  it('names the templates that are missing', () => {
    expect(conditionOf({ missingTemplates: ['lock', 'sync'] }, 'Ready')).toMatchObject({
      status: 'False',
      reason: 'TemplateMissing',
      message: 'No freeze can succeed: create ExecutionHookTemplate lock, sync.',
    });
  });

  it('is stalled by a spec that the webhook has not refused', () => {
    const wrong = { ...guard, spec: { executionHookInfos: [{}] } };
    expect(conditionOf({ guard: wrong }, 'Ready')).toMatchObject({
      status: 'False',
      reason: 'Invalid',
    });
    expect(conditionOf({ guard: wrong }, 'Stalled')).toMatchObject({
      status: 'True',
      reason: 'Invalid',
      message: expect.stringContaining('spec.executionHookInfos[0]') as string,
    });
  });

  it('keeps the number of the newest window when it is deleted (SNAP-W6)', () => {
    const seen = decided({ windows: [completed(6), completed(7)] }).status ?? {};
    expect(seen.newestNumber).toBe(7);
    const counted = { ...guard, status: seen };
    expect(decided({ guard: counted }).status?.newestNumber).toBe(7);
    expect(decided({ guard: counted, windows: [completed(2)] }).status?.newestNumber).toBe(7);
  });

  it('shows the newest window', () => {
    const admitted: AdmittedObject = {
      uid: 'u',
      kind: 'VolumeSnapshot',
      name: 's',
      claimNames: ['data'],
      cutSignal: 'creationTime',
      admittedAt: COMPLETED,
    };
    const open = windowOf(2, { phase: 'Cutting', admitted: [admitted] });
    expect(decided({ windows: [completed(0), completed(1), open] }).status).toMatchObject({
      observedGeneration: 3,
      window: { name: 'mariadb-window-2', phase: 'Cutting', admitted: 1 },
      windowCount: 3,
    });
  });

  it('shows the verdict of the newest window and how long its freeze was', () => {
    const shown = (status: ApplicationSnapshotStatus): object | undefined =>
      decided({ windows: [windowOf(1, status)] }).status?.window;
    const name = 'mariadb-window-1';
    expect(shown({})).toStrictEqual({ name, phase: 'Pending', admitted: 0 });
    const verdict = { value: 'ApplicationConsistent', reason: 'R', message: 'm' } as const;
    const end = { phase: 'Completed', completedAt: COMPLETED } as const;
    const judged = { ...verdict, freezeWindowMs: 1_200, decidedAt: COMPLETED };
    expect(shown({ ...end, verdict: judged })).toEqual({
      ...end,
      name,
      admitted: 0,
      verdict: 'ApplicationConsistent',
      freezeWindowMs: 1_200,
    });
    expect(shown({ ...end, verdict: { ...verdict, decidedAt: COMPLETED } })).toEqual({
      ...end,
      name,
      admitted: 0,
      verdict: 'ApplicationConsistent',
    });
  });
});

describe('the windows of a guard', () => {
  const many = Array.from({ length: WINDOWS_KEPT + 2 }, (_, index) => completed(index + 1));
  const namesOf = (windows: readonly ApplicationSnapshot[]): (string | undefined)[] =>
    windows.map(({ metadata }) => metadata?.name);

  it('are deleted beyond the newest, oldest first (SNAP-W13)', () => {
    const { deleted, status } = decided({ windows: many });
    expect(namesOf(deleted)).toEqual(['mariadb-window-1', 'mariadb-window-2']);
    expect(status?.windowCount).toBe(WINDOWS_KEPT);
  });

  it('are all deleted in the end if the guard was deleted (SNAP-W11)', () => {
    const { deleted, status } = decided({ guard: null, windows: many.slice(0, 2) });
    expect([status, deleted.length]).toEqual([null, 2]);
  });

  it('are never deleted while they are open, or young, or are being deleted (SNAP-W11)', () => {
    const [oldest, ...rest] = many;
    const left: ApplicationSnapshot[] = [
      windowOf(1, { phase: 'Cutting' }),
      windowOf(1, {
        phase: 'Completed',
        completedAt: new Date(NOW_MS - KEPT_AT_LEAST_MS + 1).toISOString(),
      }),
      { ...completed(1), metadata: { ...oldest?.metadata, deletionTimestamp: COMPLETED } },
    ];
    for (const first of left) {
      expect(namesOf(decided({ windows: [first, ...rest] }).deleted)).toEqual(['mariadb-window-2']);
      expect(decided({ guard: null, windows: [first] }).deleted).toEqual([]);
    }
  });
});

import { describe, expect, it } from 'vitest';

import type { VerdictValue, ApplicationSnapshot } from './kinds.ts';
import { REQUIRED_LEVEL } from './names.ts';
import { reaches, REQUIRED_LEVELS, type RequiredLevel, requiredLevelOf } from './required-level.ts';

const NAMED = { executionHookTemplateName: 'freeze' };

function snapshotThat(more: Partial<ApplicationSnapshot>): ApplicationSnapshot {
  return { spec: { source: { persistentVolumeClaimNames: ['data'] } }, ...more };
}

const source = { persistentVolumeClaimNames: ['data'] };

describe('the required level', () => {
  it.each<[string, Partial<ApplicationSnapshot>, RequiredLevel]>([
    ['without hooks', {}, 'CrashConsistent'],
    [
      'with hooks of the spec',
      { spec: { source, executionHookInfos: [NAMED] } },
      'ApplicationConsistent',
    ],
    [
      'with hooks of its claims',
      { status: { executionHookInfos: [NAMED] } },
      'ApplicationConsistent',
    ],
    [
      'as the request says',
      {
        spec: { source, executionHookInfos: [NAMED] },
        metadata: { annotations: { [REQUIRED_LEVEL]: 'Any' } },
      },
      'Any',
    ],
    [
      'by its hooks where the annotation is no level',
      { metadata: { annotations: { [REQUIRED_LEVEL]: 'Perfect' } } },
      'CrashConsistent',
    ],
  ])('%s', (_, more, expected) => {
    expect(requiredLevelOf(snapshotThat(more))).toBe(expected);
  });

  it.each<[VerdictValue, readonly RequiredLevel[]]>([
    ['ApplicationConsistent', ['ApplicationConsistent', 'CrashConsistent', 'Any']],
    ['CrashConsistent', ['CrashConsistent', 'Any']],
    ['Inconsistent', ['Any']],
    ['Unknown', ['Any']],
  ])('%s reaches %j', (value, expected) => {
    const verdict = { value, reason: 'R', message: 'm', decidedAt: '2026-01-01T00:00:00Z' };
    expect(REQUIRED_LEVELS.filter((level) => reaches(verdict, level))).toEqual(expected);
  });
});

import { describe, expect, it } from 'vitest';

import {
  rollingBy,
  sampleDeployment,
  sampleSet,
} from '../../../../../test/fixtures/rollout/sample-objects.ts';
import {
  currentSetAnnotations,
  HISTORY_CHARACTERS_MAX,
  highestRevision,
  REVISION,
  REVISION_HISTORY,
  revisionBefore,
  rolledBackAnnotations,
  sizeAnnotations,
} from './revisions.ts';

const sets = ['3', '1', 'x', '7'].map((revision) =>
  sampleSet({ name: `r${revision}`, size: 0, annotations: { [REVISION]: revision } }),
);

describe('revisions', () => {
  it('are numbers, and an invalid one counts as 0', () => {
    expect(highestRevision(sets)).toBe(7);
    expect(revisionBefore(sets)).toBe(3);
    expect([highestRevision([]), revisionBefore([])]).toEqual([0, 0]);
  });

  it('increase on a set that becomes current again, and its earlier revisions are recorded', () => {
    const before = { [REVISION]: '3', [REVISION_HISTORY]: '1' };
    expect(currentSetAnnotations(sampleDeployment(), before, 8)).toEqual({
      [REVISION]: '8',
      [REVISION_HISTORY]: '1,3',
    });
  });

  it('never decrease, and an invalid one is unchanged', () => {
    const annotations = (revision: string): unknown =>
      currentSetAnnotations(sampleDeployment(), { [REVISION]: revision }, 8);
    expect(annotations('9')).toEqual({ [REVISION]: '9' });
    expect(annotations('x')).toEqual({ [REVISION]: 'x' });
  });

  it('are dropped from the start of the history when it grows too long', () => {
    const long = Array.from({ length: 600 }, (_, index) => index).join(',');
    const before = { [REVISION]: '601', [REVISION_HISTORY]: long };
    const after = currentSetAnnotations(sampleDeployment(), before, 602)[REVISION_HISTORY] ?? '';
    expect(after.length).toBeLessThanOrEqual(HISTORY_CHARACTERS_MAX);
    expect(after.endsWith('599,601')).toBe(true);
  });
});

describe('annotations', () => {
  const own = { 'kubectl.kubernetes.io/last-applied-configuration': '{}', [REVISION]: '4' };

  it('are copied from the deployment to its current set, except its own ones', () => {
    const deployment = sampleDeployment({}, { metadata: { annotations: { ...own, a: 'b' } } });
    expect(currentSetAnnotations(deployment, {}, 1)).toEqual({ a: 'b', [REVISION]: '1' });
  });

  it('are restored by a rollback', () => {
    expect(rolledBackAnnotations({ ...own, a: 'new' }, { a: 'old', [REVISION]: '2' })).toEqual({
      ...own,
      a: 'old',
    });
  });

  it('record on a set the desired and the maximum size of its deployment', () => {
    const deployment = sampleDeployment({ replicas: 10, strategy: rollingBy('25%', 0) });
    expect(Object.values(sizeAnnotations(deployment))).toEqual(['10', '13']);
  });
});

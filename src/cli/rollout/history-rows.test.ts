import type { ReplicaSet } from 'kubernetes-types/apps/v1.js';
import { expect, it } from 'vitest';

import {
  AT,
  sampleFacts,
  sampleRun,
  templateOf,
} from '../../../test/fixtures/rollout-cases/sample-facts.ts';
import { historyOf, historyText } from './history-rows.ts';

const ownerReferences = [{ apiVersion: 'apps/v1', kind: 'Deployment', name: 'web', uid: 'uid-1' }];
const set = (version: string, revision: string): ReplicaSet => ({
  metadata: {
    name: `web-${version}`,
    annotations: { 'deployment.kubernetes.io/revision': revision },
    ownerReferences,
  },
  spec: { selector: {}, template: templateOf(version) },
});
const done = { phase: 'Succeeded' as const, finishedAt: '2026-01-01T00:00:02.000000Z' };

it('the history lists each rollout, the newest first, with its revision and hook results', () => {
  const runs = [
    sampleRun('pre', { ...done, attemptCount: 1 }, { number: 1 }),
    sampleRun('post', { ...done, attemptCount: 3 }, { number: 1 }),
    sampleRun('pre', { phase: 'Failed', attemptCount: 1 }),
  ];
  const history = historyOf(sampleFacts({ runs, rollout: { phase: 'Held' } }), [set('v1', '4')]);
  expect(history.map(({ number, revision, phase }) => [number, revision, phase])).toEqual([
    [2, undefined, 'Held'],
    [1, '4', undefined],
  ]);
  expect(historyText(history)).toBe(
    `NUMBER   REVISION   DIRECTION   PHASE   PRE               MID   POST                 STARTED
2        -          Rollout     Held    Failed            -     -                    ${AT}
1        4          Rollout     -       Succeeded 2.0 s   -     Succeeded x3 2.0 s   ${AT}
`,
  );
});

it('the history shows no revision of a template that never ran', () => {
  const run = sampleRun('pre', { phase: 'Failed' });
  const told = { ...run, spec: { ...run.spec, toRevision: '9' } };
  const facts = sampleFacts({ runs: [told], rollout: { phase: 'Held', toRevision: '9' } });
  expect(historyOf(facts, [set('v1', '4')])[0]?.revision).toBeUndefined();
  expect(historyOf(facts, [set('v2', '10')])[0]?.revision).toBe('9');
});

it('the history shows a last rollout without hooks', () => {
  const [entry] = historyOf(sampleFacts({ rollout: { phase: 'Done' } }), [set('v2', '7')]);
  expect(entry).toMatchObject({ number: 2, revision: '7', phase: 'Done', hooks: [] });
  expect(historyText([])).toBe('No rollout is recorded.\n');
});

import type { ReplicaSet } from 'kubernetes-types/apps/v1.js';
import { expect, it } from 'vitest';

import {
  AT,
  sampleFacts,
  type SampleOptions,
  sampleRun,
  templateOf,
} from '../../../test/fixtures/rollout-cases/sample-facts.ts';
import type { RolloutRecord } from '../../lifecycles/rollout/kinds.ts';
import { templateDigest } from '../../lifecycles/rollout/template-digest.ts';
import { listingText } from '../listing.ts';
import { historyListing, historyOf } from './history.ts';
import type { RolloutFacts } from './read-rollout.ts';

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

const at = (second: number): string => `2026-01-01T00:00:0${second}.000000Z`;
const first: RolloutRecord = {
  number: 1,
  direction: 'Rollout',
  digest: templateDigest(templateOf('v1')),
  toRevision: '4',
  startedAt: AT,
  releasedAt: at(2),
  finishedAt: at(6),
  phases: [
    { phase: 'Pre', startedAt: AT },
    { phase: 'Progressing', startedAt: at(2) },
    { phase: 'Done', startedAt: at(6) },
  ],
};

function factsWith(history: RolloutRecord[], options: SampleOptions): RolloutFacts {
  const { lifecycle, ...facts } = sampleFacts(options);
  return { ...facts, lifecycle: { ...lifecycle, status: { ...lifecycle.status, history } } };
}

it('the history lists each rollout, the newest first, with its outcome, its hooks and its phases', () => {
  const runs = [
    sampleRun('pre', { ...done, attemptCount: 1 }, { number: 1 }),
    sampleRun('post', { ...done, attemptCount: 3 }, { number: 1 }),
    sampleRun('pre', { phase: 'Failed', attemptCount: 1 }),
  ];
  const failure = { reason: 'PreHookFailed', message: 'it exited with 7', at: at(3) };
  const rollout = { phase: 'Held', phaseStartedAt: at(3), finishedAt: at(3), failure } as const;
  const history = historyOf(factsWith([first], { runs, rollout }), []);
  expect(listingText(historyListing(history), 'text')).toBe(
    `NUMBER   REVISION   DIRECTION   PHASE                  PRE               MID   POST                 STARTED                       TOOK    PHASES
2        -          Rollout     Held (PreHookFailed)   Failed            -     -                    ${AT}   3.0 s   -
1        4          Rollout     Done                   Succeeded 2.0 s   -     Succeeded x3 2.0 s   ${AT}   6.0 s   Pre 2.0 s, Progressing 4.0 s
`,
  );
});

it('the history lists the hooks of a rollout that no record names', () => {
  const runs = [sampleRun('pre', { ...done, attemptCount: 1 }, { number: 1 })];
  const [, old] = historyOf(sampleFacts({ runs, rollout: { phase: 'Held' } }), [set('v1', '4')]);
  expect(old).toMatchObject({ number: 1, revision: '4', phases: [], hooks: [{ stage: 'pre' }] });
  expect(old).not.toHaveProperty('phase');
});

it('the history shows no revision of a template that never ran', () => {
  const run = sampleRun('pre', { phase: 'Failed' });
  const reported = { ...run, spec: { ...run.spec, toRevision: '9' } };
  const facts = sampleFacts({ runs: [reported], rollout: { phase: 'Held', toRevision: '9' } });
  expect(historyOf(facts, [set('v1', '4')])[0]?.revision).toBeUndefined();
  expect(historyOf(facts, [set('v2', '10')])[0]?.revision).toBe('9');
});

it('the history shows a last rollout without hooks', () => {
  const [entry] = historyOf(sampleFacts({ rollout: { phase: 'Done' } }), [set('v2', '7')]);
  expect(entry).toMatchObject({ number: 2, revision: '7', phase: 'Done', hooks: [] });
  expect(listingText(historyListing([]), 'text')).toBe('No rollout is recorded.\n');
});

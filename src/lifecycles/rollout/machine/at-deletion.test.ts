import { describe, expect, test } from 'vitest';

import { free, released } from '../../../../test/fixtures/rollout/machine-cases.ts';
import {
  digestOfVersion,
  machineFacts,
  type ManagedFacts,
  type SampleFacts,
  versionSet,
} from '../../../../test/fixtures/rollout/machine-facts.ts';
import { templateDigest } from '../template-digest.ts';
import { atDeletion, whatFollows } from './at-deletion.ts';

const AT_REST = { lifecycle: { gate: 'PausedAtRest' } } as const;

type Template = NonNullable<ManagedFacts['deployment']['spec']>['template'];

function withImages(images: readonly (string | undefined)[]): Template {
  const containers = images.map((image, index) => ({ name: `c${index}`, image }));
  return { spec: { containers } } as Template;
}

const withImage = (version: string): Template => withImages([`web:${version}`]);

describe('what becomes of the held template when its lifecycle is deleted (ROLL-D1)', () => {
  const held = { version: 't2', annotations: { rollout: '5', released: '4' } } as const;
  const kindOf = (sample: ManagedFacts): string => atDeletion(sample).kind;
  const over = (sample: SampleFacts): ManagedFacts =>
    machineFacts({ status: { released }, ...sample });

  test.each([
    ['is restored to the released one', over(held), 'restore'],
    ['starts under Release', over({ ...held, lifecycle: { onDelete: 'Release' } }), 'release'],
    [
      'is none if the released one is in the spec, also under Release',
      over({ ...held, version: 't1', lifecycle: { onDelete: 'Release' } }),
      'nothingHeld',
    ],
    ['is none if the Deployment was never stamped', over({ version: 't2' }), 'nothingHeld'],
    [
      'is none at rest, though it is paused',
      over({ version: 't2', annotations: free }),
      'nothingHeld',
    ],
    [
      'is the one in the spec at rest under PausedAtRest',
      over({ version: 't2', annotations: free, ...AT_REST }),
      'restore',
    ],
    [
      'is none under PausedAtRest while it is not paused',
      over({ version: 't2', annotations: free, ...AT_REST, spec: { paused: false } }),
      'nothingHeld',
    ],
    [
      'stays paused if nothing was ever released, whatever has pods (ROLL-D2)',
      machineFacts({
        version: 't2',
        annotations: { rollout: '1', released: '0' },
        sets: [versionSet('t1', { replicas: 3 })],
      }),
      'stayPaused',
    ],
  ])('%s', (...[, sample, kind]) => {
    expect(kindOf(sample)).toBe(kind);
  });

  test('takes the recorded template before that of the ReplicaSet with pods', () => {
    const sets = [versionSet('t0', { replicas: 3 })];
    expect(atDeletion(over({ ...held, sets }))).toMatchObject({ before: released });
  });

  test('takes the template of the ReplicaSet with pods if another Deployment was recorded', () => {
    const sample = over({ ...held, sets: [versionSet('t0', { replicas: 3 })] });
    sample.lifecycle.status = { released, deploymentUID: 'another' };
    expect(atDeletion(sample)).toMatchObject({ before: { digest: digestOfVersion('t0') } });
  });
});

describe('whatFollows says', () => {
  const text = (version: string): string =>
    `template ${templateDigest(withImage(version)).slice(0, 12)}, image web:${version}`;
  const heldRollout = `rollout 5 (${text('t2')})`;
  const over = ({ version = 't2', ...sample }: SampleFacts): ManagedFacts => {
    const before = withImage('t1');
    const last = { ...released, digest: templateDigest(before), template: before };
    const spec = { template: withImage(version), ...sample.spec };
    return machineFacts({ status: { released: last }, ...sample, spec });
  };
  const gated = { rollout: '5', released: '4' };

  test.each<[string, ManagedFacts, string]>([
    [
      'that nothing is held',
      over({ annotations: free }),
      `no template is held, and ${text('t2')} continues`,
    ],
    [
      'which template is restored',
      over({ annotations: gated }),
      `${heldRollout} is withdrawn, and the released template is restored: ${text('t1')}`,
    ],
    [
      'that the template starts without hooks',
      over({ annotations: gated, lifecycle: { onDelete: 'Release' } }),
      `${heldRollout} starts without its hooks, since spec.onDelete is Release`,
    ],
    [
      'how a Deployment that stays paused is resumed',
      over({ annotations: { rollout: '5', released: '0' }, status: {} }),
      `${heldRollout} stays paused, since nothing was released before it: create a DeploymentLifecycle for its hooks, or start it without them by \`kubectl rollout resume deployment/web\``,
    ],
  ])('%s', (...[, sample, sentence]) => {
    expect(whatFollows(sample)).toBe(sentence);
  });

  test.each([
    ['one image', ['web:2'], 'web:2'],
    ['four images', ['a', 'b', 'c', 'd'], 'a, b, c, d'],
    ['the first four of six images', ['a', 'b', 'c', 'd', 'e', 'f'], 'a, b, c, d, 2 more'],
    ['a container without an image', ['web:2', undefined], 'web:2, none'],
  ])('%s', (...[, images, named]) => {
    const template = withImages(images);
    const digest = templateDigest(template).slice(0, 12);
    expect(whatFollows(over({ annotations: free, spec: { template } }))).toBe(
      `no template is held, and template ${digest}, image ${named} continues`,
    );
  });
});

import { describe, expect, it } from 'vitest';

import { fieldProblemMessage } from '../../../controller/definitions/field-problem.ts';
import type { JsonObject } from '../../../kube/object.ts';
import type { Recipe } from '../recipes/recipe.ts';
import { checkRestoreSpec, validateRestore } from './check-spec.ts';
import type { RestoreHook, SnapshotRestoreSpec } from './kinds.ts';

const recipe = {
  name: 'checked',
  verify: {
    parameters: [{ name: 'directory', description: 'must be relative', pattern: /^\w+$/ }],
  },
} as unknown as Recipe;
const resolveRecipe = (name: string): Recipe | undefined =>
  name === 'checked' ? recipe : name === 'unchecked' ? ({ name } as Recipe) : undefined;

const source = { applicationSnapshotName: 'nightly' };
const command = ['true'];
const exec: RestoreHook = { name: 'ask', exec: { podName: 'db-0', command } };
const pod: RestoreHook = { name: 'own', pod: { image: 'db:1', command } };
const scale: RestoreHook = { name: 'stop', scale: { kind: 'Deployment', name: 'web' } };

const problems = (spec: Partial<SnapshotRestoreSpec>): string[] =>
  checkRestoreSpec({ source, ...spec }, resolveRecipe).map(fieldProblemMessage);

describe('the spec of a restore', () => {
  it.each<[string, Partial<SnapshotRestoreSpec>]>([
    ['an ApplicationSnapshot', {}],
    ['VolumeSnapshots', { source: { volumeSnapshotNames: ['a', 'b'] } }],
    ['hooks of every stage', { preRestore: [scale, exec], postRestore: [pod] }],
    ['a check by command', { verify: [pod] }],
    [
      'settings of claims',
      {
        claims: [
          {
            sourceClaimName: 'data',
            claimName: 'new',
            size: '1Gi',
            accessModes: ['ReadWriteOnce'],
          },
        ],
      },
    ],
  ])('accepts %s', (_, spec) => {
    expect(problems(spec)).toEqual([]);
  });

  it.each<[string, Partial<SnapshotRestoreSpec>, string]>([
    ['no source', { source: {} }, 'spec.source: Required value: give exactly one of'],
    [
      'two sources',
      { source: { ...source, volumeSnapshotNames: ['a'] } },
      'spec.source.volumeSnapshotNames: Forbidden: give exactly one of',
    ],
    [
      'a source of another namespace',
      { source: { applicationSnapshotName: 'other/nightly' } },
      'must be in the namespace of this object',
    ],
    [
      'a VolumeSnapshot twice',
      { source: { volumeSnapshotNames: ['a', 'a'] } },
      'spec.source.volumeSnapshotNames[1]: Duplicate value',
    ],
    [
      'settings of a claim twice',
      { claims: [{ sourceClaimName: 'data' }, { sourceClaimName: 'data' }] },
      'spec.claims[1].sourceClaimName: Duplicate value',
    ],
    ['a size of 0', { claims: [{ sourceClaimName: 'data', size: '0' }] }, 'a quantity above 0'],
    ['an unknown access mode', { accessModes: ['Often'] }, 'spec.accessModes[0]: Invalid value'],
    ['an empty hook', { verify: [{ name: 'a' }] }, 'give exactly one of scale, exec and pod'],
    ['a hook with two handlers', { verify: [{ ...exec, ...pod }] }, 'give exactly one of scale'],
    ['two hooks of one name', { preRestore: [exec], verify: [exec] }, 'spec.verify[0].name: Dupl'],
    ['a hook name with a dot', { verify: [{ ...pod, name: 'a.b' }] }, 'spec.verify[0].name: Inv'],
    [
      'a scale in a rehearsal (SNAP-V12)',
      { preRestore: [scale], scratch: true },
      'must not stop the application',
    ],
    ['a scale after the restore', { postRestore: [scale] }, 'move it to preRestore'],
    [
      'a command in no pod',
      { preRestore: [{ name: 'a', exec: { command } }] },
      'give exactly one of podName and podSelector',
    ],
    [
      'a command in every pod',
      { preRestore: [{ name: 'a', exec: { command, podSelector: { matchLabels: {} } } }] },
      'give at least one label of the pod',
    ],
    [
      'mounts before the restore',
      {
        preRestore: [
          { name: 'a', pod: { image: 'i', mounts: [{ sourceClaimName: 'data', path: '/d' }] } },
        ],
      },
      'no claim exists before postRestore',
    ],
    [
      'a mount outside',
      {
        verify: [
          { name: 'a', pod: { image: 'i', mounts: [{ sourceClaimName: 'data', path: '../d' }] } },
        ],
      },
      'must be a path without',
    ],
    [
      'a recipe before verify',
      {
        postRestore: [
          {
            name: 'a',
            pod: { image: 'i', recipe: { name: 'checked', parameters: { directory: 'd' } } },
          },
        ],
      },
      'move the hook to verify',
    ],
    [
      'a recipe and a command',
      { verify: [{ name: 'a', pod: { image: 'i', command, recipe: { name: 'checked' } } }] },
      'the recipe has its own command',
    ],
    [
      'a recipe without a copy to check',
      {
        verify: [
          {
            name: 'a',
            pod: {
              image: 'i',
              mounts: [],
              recipe: { name: 'checked', parameters: { directory: 'd' } },
            },
          },
        ],
      },
      'spec.verify[0].pod.mounts: Required value: a recipe checks the first mounted claim',
    ],
    [
      'a recipe that has no check',
      { verify: [{ name: 'a', pod: { image: 'i', recipe: { name: 'unchecked' } } }] },
      'this recipe has no check of a restored copy',
    ],
    [
      'an unknown recipe',
      { verify: [{ name: 'a', pod: { image: 'i', recipe: { name: 'none' } } }] },
      'there is no such recipe',
    ],
    [
      'a wrong parameter of the check',
      {
        verify: [
          {
            name: 'a',
            pod: { image: 'i', recipe: { name: 'checked', parameters: { directory: '/' } } },
          },
        ],
      },
      'must be relative',
    ],
  ])('refuses %s (SNAP-V1, SNAP-V8)', (_, spec, message) => {
    expect(problems(spec).join('\n')).toContain(message);
  });
});

describe('validateRestore', () => {
  const findings = (spec: JsonObject, before?: JsonObject): ReturnType<typeof validateRestore> =>
    validateRestore({
      object: { spec },
      ...(before === undefined ? {} : { before: { spec: before } }),
      resolveRecipe,
    });

  it('warns of a restore that nothing verifies, and of one that accepts any verdict', () => {
    const { errors, warnings } = findings({ source, requiredVerdict: 'Any' });
    expect(errors).toEqual([]);
    expect(warnings.join('\n')).toMatch(/spec.verify: .*\nspec.requiredVerdict: /);
  });

  it('refuses a field of a wrong type', () => {
    const { errors } = findings({ source, scratch: 'yes' });
    expect(errors.map(({ field }) => field)).toEqual(['spec.scratch']);
  });

  it('refuses every change of the spec, and no other', () => {
    expect(findings({ source }, { source }).errors).toEqual([]);
    expect(findings({ source, scratch: true }, { source }).errors).toHaveLength(1);
  });
});

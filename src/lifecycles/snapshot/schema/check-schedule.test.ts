import { describe, expect, it } from 'vitest';

import { fieldProblemMessage } from '../../../controller/definitions/field-problem.ts';
import type { JsonObject } from '../../../kube/object.ts';
import { resolveRecipe } from '../recipes/all-recipes.ts';
import { validateSchedule } from './validate.ts';

const SPEC = {
  schedule: '0 3 * * *',
  timeZone: 'Europe/Berlin',
  retention: { keepLast: 3 },
  snapshotTemplate: { spec: { source: { persistentVolumeClaimNames: ['data'] } } },
};

const withSpec = (change: JsonObject): JsonObject => ({
  metadata: { name: 'nightly' },
  spec: { ...SPEC, ...change },
});

function findings(object: JsonObject): readonly [readonly string[], readonly string[]] {
  const { errors, warnings } = validateSchedule({ object, resolveRecipe });
  return [errors.map(fieldProblemMessage), warnings];
}

it('accepts a schedule', () => {
  expect(findings(withSpec({}))).toEqual([[], []]);
});

it('accepts the cron abbreviations and every field', () => {
  const change = {
    schedule: '@hourly',
    jitterSeconds: 60,
    startingDeadlineSeconds: 600,
    concurrencyPolicy: 'Allow',
    suspend: true,
    requiredVerdict: 'Any',
    retention: { keepHourly: 24, keepDaily: 7, keepWeekly: 4, keepMonthly: 12, keepFailed: 0 },
  };
  expect(findings(withSpec(change))).toEqual([[], []]);
});

it('refuses a wrong cron expression with one error that says what is wrong (SNAP-T1)', () => {
  expect(findings(withSpec({ schedule: '0 25 * * *' }))).toEqual([
    [
      'spec.schedule: Invalid value: "0 25 * * *": must be five fields of cron (minute, hour, day of the month, month, day of the week), or @hourly, @daily, @weekly, @monthly, @yearly: Invalid value for hour: 25',
    ],
    [],
  ]);
});

it.each<[string, JsonObject, string]>([
  ['an unknown time zone', { timeZone: 'Europe/Berln' }, 'spec.timeZone: Invalid value: "Europe/B'],
  ['a retention that keeps nothing', { retention: { keepFailed: 3 } }, 'spec.retention: Required'],
  ['no retention', { retention: undefined } as never, 'spec.retention: Required value'],
  ['a count of 0', { retention: { keepLast: 0 } }, 'must be a whole number from 1 to 1000'],
  [
    'Replace',
    { concurrencyPolicy: 'Replace' },
    'spec.concurrencyPolicy: Unsupported value: "Replace": supported values: "Allow", "Forbid"',
  ],
  [
    'a template without a source',
    { snapshotTemplate: { spec: { source: {} } } },
    'spec.snapshotTemplate.spec.source: Required value',
  ],
  [
    'a wrong label',
    { snapshotTemplate: { ...SPEC.snapshotTemplate, metadata: { labels: { app: 'a b' } } } },
    'spec.snapshotTemplate.metadata.labels[app]: Invalid value',
  ],
  [
    'an unknown level in an annotation',
    {
      snapshotTemplate: {
        ...SPEC.snapshotTemplate,
        metadata: { annotations: { 'lifehook.dev/required-verdict': 'Good' } },
      },
    },
    'better set spec.requiredVerdict',
  ],
  [
    'the mark of a snapshot that has begun, from one that was copied',
    {
      snapshotTemplate: {
        ...SPEC.snapshotTemplate,
        metadata: { annotations: { 'lifehook.dev/begun-uid': 'u' } },
      },
    },
    'spec.snapshotTemplate.metadata.annotations[lifehook.dev/begun-uid]: Forbidden: a controller sets it: remove it',
  ],
  [
    'a window of a guard, which creates no snapshots',
    {
      snapshotTemplate: {
        spec: {
          ...SPEC.snapshotTemplate.spec,
          executionHookInfos: [{ executionHookTemplateName: 'lock' }],
          window: { guardName: 'db', freezeTimeoutSeconds: 10, holdOpenSeconds: 0 },
        },
      },
    },
    'spec.snapshotTemplate.spec.window: Forbidden: a schedule takes snapshots, and a window of a guard takes none: remove this field',
  ],
])('refuses %s', (_, change, expected) => {
  const [errors] = findings(withSpec(change));
  expect(errors).toEqual([expect.stringContaining(expected)]);
});

it('refuses a name that leaves no space for the time of a snapshot', () => {
  const object = { ...withSpec({}), metadata: { name: 'n'.repeat(53) } };
  expect(findings(object)[0]).toEqual([expect.stringContaining('must have at most 52 characters')]);
});

it('warns of a retention by age alone', () => {
  const [errors, warnings] = findings(withSpec({ retention: { keepWithinHours: 24 } }));
  expect([errors, warnings]).toEqual([[], [expect.stringContaining('add keepLast')]]);
});

it('checks a change of the spec, and no other change', () => {
  const before = withSpec({ schedule: 'stored before' });
  const errorsOf = (object: JsonObject): number =>
    validateSchedule({ object, before, resolveRecipe }).errors.length;
  expect(errorsOf({ ...before, metadata: { name: 'nightly', labels: { a: 'b' } } })).toBe(0);
  expect(errorsOf(withSpec({ schedule: '* *' }))).toBe(1);
  expect(errorsOf(withSpec({ schedule: '0 4 * * *' }))).toBe(0);
});

describe('rehearsals (SNAP-T17)', () => {
  const verify = [
    { name: 'check', pod: { image: 'mariadb:11', recipe: { name: 'mariadb-lock' } } },
  ];
  const rehearsing = (change: JsonObject): JsonObject =>
    withSpec({ rehearsal: { schedule: '12 3 * * *', verify, ...change } });

  it('are accepted with every field', () => {
    const whole = {
      timeZone: 'UTC',
      startingDeadlineSeconds: 60,
      historyLimit: 5,
      claims: [{ sourceClaimName: 'data', size: '2Gi' }],
      storageClassName: 'fast',
      accessModes: ['ReadWriteOnce'],
      bindDeadlineSeconds: 60,
      postRestore: [{ name: 'rekey', pod: { image: 'i', command: ['rekey'] } }],
    };
    expect(findings(rehearsing({}))).toEqual([[], []]);
    expect(findings(rehearsing(whole))).toEqual([[], []]);
  });

  const scale = { kind: 'Deployment', name: 'shop' };
  it.each<[string, JsonObject, string]>([
    ['a wrong expression', { schedule: '0 25 * * *' }, 'spec.rehearsal.schedule: Invalid value'],
    ['an unknown zone', { timeZone: 'Berlin' }, 'spec.rehearsal.timeZone: Invalid value: "Berlin"'],
    ['no check', { verify: [] }, 'spec.rehearsal.verify: Required value: give at least one check'],
    ['a history of nothing', { historyLimit: 0 }, 'must be a whole number from 1 to 100'],
    [
      'an unknown recipe',
      { verify: [{ name: 'check', pod: { image: 'i', recipe: { name: 'oracle' } } }] },
      'spec.rehearsal.verify[0].pod.recipe.name: Invalid value: "oracle": there is no such recipe',
    ],
  ])('are refused with %s', (_, change, expected) => {
    const [errors] = findings(rehearsing(change));
    expect(errors).toEqual([expect.stringContaining(expected)]);
  });

  it('stop no workload', () => {
    const [errors] = findings(rehearsing({ postRestore: [{ name: 'stop', scale }] }));
    expect(errors).toContainEqual(
      expect.stringContaining('spec.rehearsal.postRestore[0].scale: Forbidden'),
    );
  });

  it('are warned of if no snapshot has hooks', () => {
    const snapshotTemplate = { spec: { ...SPEC.snapshotTemplate.spec, executionHookInfos: [] } };
    const object = withSpec({ snapshotTemplate, rehearsal: { schedule: '@daily', verify } });
    const [errors, warnings] = findings(object);
    expect(errors).toEqual([]);
    expect(warnings).toContainEqual(
      expect.stringContaining('it restores only ApplicationConsistent snapshots'),
    );
  });
});

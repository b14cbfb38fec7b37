import { describe, expect, it } from 'vitest';

import { everyPart, schemaOf } from '../../../../test/fixtures/definition-parts.ts';
import type { StructuralSchema } from '../../../controller/definitions/structural-schema.ts';
import { snapshotDefinitions } from './definitions.ts';

const definitions = snapshotDefinitions();

describe('the definitions of the snapshot kinds', () => {
  it('describe every field', () => {
    const bare = definitions.flatMap((definition) =>
      everyPart(schemaOf(definition))
        .filter(([path, { description }]) => description === undefined && !path.endsWith('*'))
        .map(([path]) => `${definition.spec.names.kind}${path}`),
    );
    expect(bare).toEqual([
      'ExecutionHook.metadata',
      'ExecutionHookTemplate.metadata',
      'ApplicationSnapshot.metadata',
      'SnapshotSchedule.metadata',
      'SnapshotRestore.metadata',
      'SnapshotGuard.metadata',
    ]);
  });

  it('have validation rules, each with a message', () => {
    const ruled = definitions.map((definition) =>
      everyPart(schemaOf(definition)).flatMap(([, part]) => part['x-kubernetes-validations'] ?? []),
    );
    expect(ruled.every((rules) => rules.length > 5)).toBe(true);
    expect(ruled.flat().every(({ message }) => message.length > 10)).toBe(true);
  });

  it('have the fields of a template at the top level (SNAP-R7)', () => {
    const [, template] = definitions;
    if (template === undefined) throw new Error('there is no template');
    expect(Object.keys(schemaOf(template).properties ?? {})).toEqual([
      'apiVersion',
      'kind',
      'metadata',
      'policy',
      'preAction',
      'postAction',
      'probe',
      'lockScope',
      'rescue',
      'recipe',
      'expirationSeconds',
      'expirationTimeSeconds',
    ]);
  });

  it('bound fields that users write, and no status field', () => {
    const bounded = (part: StructuralSchema): boolean =>
      ['minimum', 'maximum', 'maxLength', 'maxItems', 'enum'].some((word) => word in part);
    for (const definition of definitions) {
      const parts = everyPart(schemaOf(definition)).filter(([, part]) => bounded(part));
      const ofStatus = parts.filter(([path]) => path.startsWith('.status'));
      expect([parts.length > 10, ofStatus]).toEqual([true, []]);
    }
  });
});

/** Tests the checks of custom kinds, against a definition among the files or a built-in one. */
import { describe, expect, it } from 'vitest';

import { formatProblem } from '../../../model/problem.ts';
import { lines, lintFiles, lintText, object } from '../../../../test/fixtures/lint-stand.ts';

const DEFINITION = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: { name: doors.example.com }
spec:
  group: example.com
  scope: Namespaced
  names: { kind: Door, plural: doors, singular: door, listKind: DoorList }
  versions:
    - name: v1
      served: true
      storage: true
      schema:
        openAPIV3Schema:
          type: object
          properties:
            spec:
              type: object
              required: [colour]
              properties:
                colour: { type: string, enum: [red, green] }
                width: { type: integer }
              x-kubernetes-validations:
                - { rule: '!has(self.width) || self.width > 10', message: it is too narrow }
`;
const admitted = (spec: string): string => object('example.com/v1', 'Door', `spec: ${spec}\n`);

describe('a custom kind', () => {
  it('is checked against its definition among the files', async () => {
    const both = async (spec: string): Promise<string> => {
      const { problems } = await lintFiles({ 'crd.yaml': DEFINITION, 'door.yaml': admitted(spec) });
      return problems.map(formatProblem).join('\n');
    };
    expect(await both('{ colour: red }')).toBe('');
    expect(await both('{ color: red }')).toMatch(
      /^door.yaml:4:9: error LHM001: .* Next: Did you mean colour\?$/u,
    );
    expect(await both('{ colour: blue }')).toContain('Unsupported value: "blue"');
    expect(await both('{ colour: red, width: x }')).toContain('error LHM002');
    expect(await both('{ colour: red, width: 5 }')).toContain('it is too narrow');
  });

  it('is refused in a version that is not served, with the newest one that is', async () => {
    const version = (name: string, served: boolean): string =>
      `    - { name: ${name}, served: ${served}, storage: false, schema: { openAPIV3Schema: { type: object } } }\n`;
    const versions = [version('v1alpha1', false), version('v1beta1', true)].join('');
    const text = `${DEFINITION}${versions}---\n${object('example.com/v1alpha1', 'Door')}`;
    expect((await lines(text)).join()).toMatch(
      /error LHM005: .* Next: Write apiVersion: example.com\/v1\.$/u,
    );
  });

  it('is named as not checked without it, and refused where the files are all there is', async () => {
    const { problems, skipped } = await lintText(admitted('{}'));
    expect([problems, skipped]).toEqual([
      [],
      [
        {
          path: 'm.yaml: Door one',
          reason: 'the definition of example.com/v1 Door is not among the files',
        },
      ],
    ]);
    expect((await lines(admitted('{}'), { strict: true })).join()).toContain('2:7: error LHM009: ');
  });
});

it.each(['v1', 'v1beta2', 'v1beta1'])(
  'a group snapshot is known in the version %s, which the controllers use too',
  async (version) => {
    const apiVersion = `groupsnapshot.storage.k8s.io/${version}`;
    const made = (more: string): string => object(apiVersion, 'VolumeGroupSnapshotClass', more);
    expect(await lines(made('driver: a\ndeletionPolicy: Delete\n'))).toEqual([]);
    expect((await lines(made('drver: a\ndeletionPolicy: Delete\n'))).join()).toContain('LHM001');
  },
);

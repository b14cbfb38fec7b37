import { describe, expect, test } from 'vitest';

import { yamlDocuments } from '../../../model/yaml-text.ts';
import { parseManifests } from './parse-manifests.ts';

describe('manifests of a text', () => {
  test('are its documents and the items of its lists, without empty documents', () => {
    const text = `# nothing
---
apiVersion: v1
kind: List
items:
  - { apiVersion: v1, kind: Service, metadata: { name: a } }
---
---
{ "apiVersion": "v1", "kind": "Namespace", "metadata": { "name": "b" } }
`;
    const { objects, problems } = parseManifests('k8s.yaml', text);
    expect(problems).toEqual([]);
    expect(objects.map(({ kind, metadata }) => `${kind}/${metadata?.name}`)).toEqual([
      'Service/a',
      'Namespace/b',
    ]);
  });

  test('are read as kubectl reads them: 0644 is 420, a date and a time stay text', () => {
    const text = `apiVersion: v1
kind: ConfigMap
metadata: { name: a }
mode: 0644
on: yes
day: 2024-01-02
time: 1:30
`;
    const [object] = parseManifests('k8s.yaml', text).objects;
    expect(object).toMatchObject({ mode: 420, day: '2024-01-02', time: '1:30' });
  });

  test('are refused with an integer that would be written with another value', () => {
    const text = 'apiVersion: v1\nkind: A\nmetadata: { name: b }\nserial: 9007199254740993\n';
    expect(parseManifests('k8s.yaml', text).problems).toEqual([
      {
        code: 'LHM033',
        severity: 'error',
        at: { file: 'k8s.yaml', line: 4, column: 9 },
        message:
          'Lifehook reads integers of at most 53 bits: 9007199254740993 would become 9007199254740992.',
        next: 'Write an integer from -9007199254740991 to 9007199254740991, or apply this object with kubectl.',
      },
    ]);
  });

  test.each([
    ['kind: A\nmetadata: {name: b}', 1, 'needs a string for "apiVersion"'],
    ['apiVersion: v1\nkind: 3\nmetadata: {name: b}', 2, 'needs a string for "kind"'],
    [
      'apiVersion: v1\nkind: A\nmetadata:\n  generateName: b',
      4,
      'needs a string for "metadata.name"',
    ],
    ['- a', 1, 'must be a map'],
    ['a: [', 1, 'neither YAML nor JSON'],
    ['warn: x', 1, 'needs a string for "apiVersion"'],
  ])('%j is refused at line %i: %s', (text, line, message) => {
    const { objects, problems } = parseManifests('k8s.yaml', text);
    expect(objects).toEqual([]);
    expect(problems).toHaveLength(1);
    expect(problems[0]?.message).toContain(message);
    expect(problems[0]?.at).toMatchObject({ file: 'k8s.yaml', line });
  });

  test('are equal after they are written and read again', async () => {
    const data = { a: 'yes', b: '0644', c: 'null', d: '1e3', e: 'two\nlines\n', f: '2024-01-02' };
    const map = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' }, data, data2: data };
    const text = yamlDocuments([map, map]);
    expect(text).not.toContain('*');
    expect(parseManifests('k8s.yaml', text)).toEqual({ objects: [map, map], problems: [] });
  });
});

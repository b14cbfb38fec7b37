import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

import { formatProblem } from '../../model/problem.ts';
import { convertManifest, type ConvertedManifest } from './convert-manifest.ts';
import { manifestText } from './manifest-text.ts';

const FOLDER = 'test/fixtures/convert';

const text = (name: string): string => readFileSync(`${FOLDER}/${name}`, 'utf8');
const converted = (name: string): ConvertedManifest => convertManifest(name, text(name));
const told = ({ problems }: ConvertedManifest): string =>
  problems.map((problem) => `${formatProblem(problem)}\n`).join('');

describe('convertManifest', () => {
  it.each(['deployment-config', 'document-samples', 'prototype'])(
    'makes of %s what stands beside it, and remarks on the rest with its place',
    async (name) => {
      const conversion = converted(`${name}.yaml`);
      await expect(manifestText(conversion.documents)).toMatchFileSnapshot(
        `../../../${FOLDER}/${name}.converted.yaml`,
      );
      await expect(told(conversion)).toMatchFileSnapshot(`../../../${FOLDER}/${name}.remarks.txt`);
    },
  );

  it('has nothing more to do to what it has made', () => {
    const again = convertManifest('again', text('deployment-config.converted.yaml'));
    expect(again.converted).toBe(0);
    expect(again.problems.map(({ code }) => code)).toEqual(['LHG062']);
  });

  it('gives every hook of a DeploymentConfig a gate, and one without hooks none', () => {
    const bare = convertManifest(
      'bare',
      'apiVersion: apps.openshift.io/v1\nkind: DeploymentConfig\nmetadata: {name: a}\nspec: {template: {metadata: {labels: {a: b}}}}',
    );
    expect(bare.problems).toEqual([]);
    expect(bare.documents).toEqual([
      {
        apiVersion: 'apps/v1',
        kind: 'Deployment',
        metadata: { name: 'a' },
        spec: {
          selector: { matchLabels: { a: 'b' } },
          strategy: { type: 'RollingUpdate' },
          template: { metadata: { labels: { a: 'b' } } },
        },
      },
    ]);
  });

  it('leaves lists that are YAML as they are', () => {
    const [, snapshot] = converted('document-samples.yaml').documents;
    expect(snapshot).toMatchObject({
      spec: { executionHookInfos: [{ podContainerNamesList: [{ containerNames: ['mysql'] }] }] },
    });
  });

  it('tells with its place what cannot be read', () => {
    const { problems, documents } = convertManifest('bad.yaml', 'kind: [\n---\nkind: Pod');
    expect(documents).toEqual([{ kind: 'Pod' }]);
    expect(problems.map(({ code, at }) => [code, at?.file])).toEqual([['LHG030', 'bad.yaml']]);
  });
});

import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

import { formatProblem } from '../../model/problem.ts';
import { convertManifest, type ConvertedManifest } from './convert-manifest.ts';
import { yamlDocuments } from '../../model/yaml-text.ts';

const FOLDER = 'test/fixtures/convert';

const text = (name: string): string => readFileSync(`${FOLDER}/${name}`, 'utf8');
const converted = (name: string): ConvertedManifest => convertManifest(name, text(name));
const reported = ({ problems }: ConvertedManifest): string =>
  problems.map((problem) => `${formatProblem(problem)}\n`).join('');

function bareConfig(spec: object): string {
  const template = { metadata: { labels: { a: 'b' } } };
  const head = { apiVersion: 'apps.openshift.io/v1', kind: 'DeploymentConfig' };
  return JSON.stringify({ ...head, metadata: { name: 'a' }, spec: { ...spec, template } });
}

describe('convertManifest', () => {
  it.each(['deployment-config', 'document-samples', 'prototype'])(
    'converts %s to the expected file, and reports the rest with file and line',
    async (name) => {
      const conversion = converted(`${name}.yaml`);
      await expect(yamlDocuments(conversion.documents)).toMatchFileSnapshot(
        `../../../${FOLDER}/${name}.converted.yaml`,
      );
      await expect(reported(conversion)).toMatchFileSnapshot(
        `../../../${FOLDER}/${name}.remarks.txt`,
      );
    },
  );

  it('changes nothing in its own output', () => {
    const again = convertManifest('again', text('deployment-config.converted.yaml'));
    expect(again.converted).toBe(0);
    expect(again.problems.map(({ code }) => code)).toEqual(['LHG062']);
  });

  it('adds no gate to a DeploymentConfig without hooks', () => {
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

  it('pauses an image trigger by a boolean, as OpenShift reads it', () => {
    const params = { containerNames: ['a'], from: { kind: 'ImageStreamTag', name: 'a:1' } };
    const triggers = [{ type: 'ImageChange', imageChangeParams: params }, { type: 'ConfigChange' }];
    const [deployment] = convertManifest('bare', bareConfig({ triggers })).documents;
    const { annotations } = (deployment as { metadata: { annotations: Record<string, string> } })
      .metadata;
    expect(JSON.parse(annotations['image.openshift.io/triggers'] ?? '')).toMatchObject([
      { paused: true },
    ]);
  });

  it('reports each variable of OpenShift that a hook uses', () => {
    const command = [
      'sh',
      '-c',
      'oc -n $OPENSHIFT_DEPLOYMENT_NAMESPACE get rc $OPENSHIFT_DEPLOYMENT_NAME',
    ];
    const pre = { failurePolicy: 'Abort', execNewPod: { containerName: 'a', command } };
    const strategy = { type: 'Rolling', rollingParams: { pre } };
    const { problems } = convertManifest('bare', bareConfig({ strategy }));
    expect(problems.map(({ message }) => message)).toEqual([
      'The pod of a hook has no variable OPENSHIFT_DEPLOYMENT_NAMESPACE any more.',
      'The pod of a hook has no variable OPENSHIFT_DEPLOYMENT_NAME any more.',
    ]);
  });

  it('reports each document that it leaves out, and no empty one', () => {
    const written = `${bareConfig({})}\n---\n---\njust text\n---\n[1]\n`;
    const { documents, problems } = convertManifest('bare', written);
    expect(documents).toHaveLength(1);
    expect(problems.map(({ code, at }) => [code, at?.line])).toEqual([
      ['LHG060', 3],
      ['LHG060', 5],
    ]);
  });

  it('keeps valid YAML lists unchanged', () => {
    const [, snapshot] = converted('document-samples.yaml').documents;
    expect(snapshot).toMatchObject({
      spec: { executionHookInfos: [{ podContainerNamesList: [{ containerNames: ['mysql'] }] }] },
    });
  });

  it('reports the file of unreadable YAML, and converts the other documents', () => {
    const { problems, documents } = convertManifest('bad.yaml', 'kind: [\n---\nkind: Pod');
    expect(documents).toEqual([{ kind: 'Pod' }]);
    expect(problems.map(({ code, at }) => [code, at?.file])).toEqual([['LHG030', 'bad.yaml']]);
  });
});

import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

import { lintManifest } from './lint-manifest.ts';

const found = (text: string): unknown[] =>
  lintManifest('m.yaml', text).map(({ code, at, message }) => [code, at?.line, message]);

const LIFECYCLE = `apiVersion: lifehook.dev/v1alpha1
kind: DeploymentLifecycle
metadata: { name: web }
spec:
  deploymentName: web
  recreate:
    mid:
      execNewPod:
        containerName: wep
        command: [./migrate]
`;
const DEPLOYMENT = `---
apiVersion: apps/v1
kind: Deployment
metadata: { name: web }
spec:
  strategy: { type: Recreate }
  selector: { matchLabels: { app: web } }
  template:
    metadata: { labels: { app: web } }
    spec: { containers: [{ name: web, image: web }] }
`;

describe('lintManifest', () => {
  it('reports what the webhook would reject in our kinds, with the line', () => {
    const wrong = LIFECYCLE.replace('recreate:', 'rollingUpdate:');
    expect(found(wrong)).toEqual([
      ['LHG064', 8, expect.stringContaining('spec.rollingUpdate.mid: Forbidden') as string],
      ['LHG065', 5, expect.stringContaining('there is no hook') as string],
    ]);
    const misspelt = LIFECYCLE.replace(
      'deploymentName: web',
      'deploymentName: web\n  onabort: Hold',
    );
    expect(found(misspelt)).toEqual([
      ['LHG065', 6, 'unknown field "spec.onabort"; did you mean "onAbort"?.'],
    ]);
  });

  it('checks a lifecycle against the Deployment in the same file', () => {
    expect(found(LIFECYCLE)).toEqual([]);
    expect(found(LIFECYCLE + DEPLOYMENT)).toEqual([
      ['LHG064', 9, expect.stringContaining('"wep"') as string],
    ]);
    expect(found(LIFECYCLE.replace('wep', 'web') + DEPLOYMENT)).toEqual([]);
    expect(found(`${LIFECYCLE}---\nkind: Deployment\nmetadata: { name: web }\n`)).toEqual([]);
  });

  it('checks hooks of pods and of snapshots too', () => {
    const pod = `apiVersion: v1
kind: Pod
metadata: { name: a }
spec:
  containers:
    - name: a
      image: a
      lifecycle: { preStop: { sleep: { seconds: 100 } } }
`;
    expect(found(pod).length).toBeGreaterThan(0);
    const template = `apiVersion: lifehook.dev/v1alpha1
kind: ExecutionHookTemplate
metadata: { name: a }
recipe: { name: oracle }
`;
    expect(found(template)).toEqual([
      ['LHG064', 4, expect.stringContaining('recipe.name: Invalid value: "oracle"') as string],
    ]);
  });

  it('reports objects that have no effect before they are converted', () => {
    const samples = readFileSync('test/fixtures/convert/prototype.yaml', 'utf8');
    expect(found(samples).map((one) => (one as unknown[]).slice(0, 2))).toEqual([
      ['LHG066', 2],
      ['LHG066', 15],
    ]);
    const list = readFileSync('test/fixtures/convert/deployment-config.yaml', 'utf8');
    expect(found(list).map((one) => (one as unknown[]).slice(0, 2))).toEqual([
      ['LHG066', 6],
      ['LHG066', 55],
    ]);
  });
});

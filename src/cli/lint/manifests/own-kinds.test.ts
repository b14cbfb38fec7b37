import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

import { lintText } from '../../../../test/fixtures/lint-stand.ts';

async function found(text: string): Promise<unknown[]> {
  const { problems } = await lintText(text);
  return problems.map(({ code, at, message }) => [code, at?.line, message]);
}

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

describe('a lint of our kinds', () => {
  it('reports what the webhook would reject in our kinds, with the line', async () => {
    const wrong = LIFECYCLE.replace('recreate:', 'rollingUpdate:');
    expect(await found(wrong)).toEqual([
      ['LHG065', 5, expect.stringContaining('there is no hook') as string],
      ['LHM011', 5, expect.stringContaining('Deployment "web"') as string],
      ['LHG064', 8, expect.stringContaining('spec.rollingUpdate.mid: Forbidden') as string],
    ]);
    const misspelt = LIFECYCLE.replace(
      'deploymentName: web',
      'deploymentName: web\n  onabort: Hold',
    );
    expect(await found(misspelt)).toContainEqual([
      'LHM001',
      6,
      'DeploymentLifecycle web: there is no field spec.onabort.',
    ]);
  });

  it('checks a lifecycle against the Deployment in the same file', async () => {
    const alone = ['LHM011', 5, expect.stringContaining('Deployment "web"') as string];
    expect(await found(LIFECYCLE)).toEqual([alone]);
    expect(await found(LIFECYCLE + DEPLOYMENT)).toEqual([
      ['LHG064', 9, expect.stringContaining('"wep"') as string],
    ]);
    expect(await found(LIFECYCLE.replace('wep', 'web') + DEPLOYMENT)).toEqual([]);
    const half = '---\napiVersion: apps/v1\nkind: Deployment\nmetadata: { name: web }\n';
    expect((await found(LIFECYCLE + half)).map((one) => (one as unknown[])[0])).toEqual([
      'LHM003',
      'LHM003',
      'LHM003',
    ]);
  });

  it('checks hooks of pods and of snapshots too', async () => {
    const pod = `apiVersion: v1
kind: Pod
metadata: { name: a }
spec:
  containers:
    - name: a
      image: a
      lifecycle: { preStop: { sleep: { seconds: 100 } } }
`;
    expect((await found(pod)).length).toBeGreaterThan(0);
    const template = `apiVersion: lifehook.dev/v1alpha1
kind: ExecutionHookTemplate
metadata: { name: a }
recipe: { name: oracle }
`;
    expect(await found(template)).toEqual([
      ['LHG064', 4, expect.stringContaining('recipe.name: Invalid value: "oracle"') as string],
    ]);
  });

  it('reports objects that have no effect before they are converted', async () => {
    const samples = readFileSync('test/fixtures/convert/prototype.yaml', 'utf8');
    expect((await found(samples)).map((one) => (one as unknown[]).slice(0, 2))).toEqual([
      ['LHG066', 2],
      ['LHG066', 15],
    ]);
    const list = readFileSync('test/fixtures/convert/deployment-config.yaml', 'utf8');
    expect((await found(list)).map((one) => (one as unknown[]).slice(0, 2))).toEqual([
      ['LHG066', 6],
      ['LHG066', 55],
    ]);
  });
});

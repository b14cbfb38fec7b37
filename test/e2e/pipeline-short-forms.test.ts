/** The short forms and options that users of Skaffold type, on the local cluster. */
import { spawn } from 'node:child_process';
import { resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';

import { type ClusterStand, openCluster } from './cluster-stand.ts';
import { ALONE, emptyBuild, hostHook, openProject, shopFiles } from './pipeline-stand.ts';

let cluster: ClusterStand;

beforeAll(async () => {
  cluster = await openCluster();
});

afterAll(async () => {
  await cluster[Symbol.asyncDispose]();
});

const configMap = (name: string): string =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata: { name: ${name} }\n`;

async function labelsOf(kind: string, name: string): Promise<Record<string, string> | null> {
  const { code, stdout } = await cluster.kubectl('get', kind, name, '-o', 'json');
  if (code !== 0) return null;
  const { metadata } = JSON.parse(stdout) as { metadata: { labels?: Record<string, string> } };
  return metadata.labels ?? {};
}

describe('the short forms', { tags: 'kubectl' }, () => {
  it('run, test, verify, apply and delete do what the verbs of the pipeline do', async () => {
    using shop = openProject(cluster.kubeconfig, {
      ...shopFiles({ deploy: `{ after: [${hostHook('echo deployed')}] }` }),
      'more/map.yaml': configMap('more'),
    });
    const run = await shop.lifehook('run', '-l', 'team=web', '--no-prune', '--tail=false');
    expect([run.code, run.stderr]).toEqual([0, '']);
    expect(await labelsOf('pod', 'web')).toMatchObject({ team: 'web' });
    expect((await shop.lifehook('test')).code).toBe(0);
    expect((await shop.lifehook('verify')).code).toBe(0);

    const applied = await shop.lifehook('apply', 'more/*.yaml', '--label', 'team=more');
    expect([applied.code, applied.stderr]).toEqual([0, '']);
    expect(applied.stdout).toContain('[deploy/kubectl/after/0] deployed');
    expect(await labelsOf('configmap', 'more')).toMatchObject({ team: 'more' });
    // These manifests do not contain the object that `run` deployed, so that object stays.
    expect(await labelsOf('pod', 'web')).not.toBeNull();
    expect(await shop.lifehook('apply', 'none.yaml')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('error LHL402: No file matches '),
    });

    expect((await shop.lifehook('delete')).code).toBe(0);
    expect(await labelsOf('configmap', 'more')).toBeNull();
  });

  it('dev --trigger manual waits for Enter, and takes all that has changed by then', async () => {
    using shop = openProject(cluster.kubeconfig, shopFiles({}));
    const args = ['dev', '--trigger', 'manual', '--tail=false', '--watch-image', 'web'];
    const child = spawn(process.execPath, [resolve('dist/lifehook.js'), ...args], {
      cwd: shop.folder,
      env: { ...process.env, KUBECONFIG: cluster.kubeconfig },
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    onTestFinished(() => {
      child.kill('SIGKILL');
    });
    let out = '';
    const ended = new Promise<number | null>((done) => {
      child.on('close', (code) => {
        done(code);
      });
    });
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        out += text;
      });
    }
    await expect.poll(() => out).toContain('deploy shop: done');
    shop.write('web/page.html', 'changed\n');
    shop.write('web/other.html', 'new\n');
    await expect
      .poll(() => {
        child.stdin.write('\n');
        return out;
      })
      .toMatch(/iteration 2: .*web\//u);
    await expect.poll(() => out).toMatch(/(?:deploy shop: done[^]*){2}/u);
    child.kill('SIGINT');
    expect(await ended).toBe(0);
  });
});

describe('the options of the shipped tool', () => {
  it('-v hides warnings from error on, and prints events in full from debug down', async () => {
    using alone = emptyBuild({});
    const text = alone
      .read('skaffold.yaml')
      .replace('build:\n', 'build:\n  insecureRegistries: [r]\n');
    alone.write('skaffold.yaml', text);
    const build = async (...args: string[]): Promise<string> =>
      (await alone.start(['build', '--push', ...args], ALONE).ended).stderr;
    expect(await build()).toContain('warning LHL109');
    expect(await build('-v', 'error')).toBe('');
    expect(await build('-v', 'debug')).toMatch(/^debug \{.*"type":"PhaseEvent","phase":"build"/mu);
  });

  it('--platform reaches the builder, and one that an image is not for is refused', async () => {
    using alone = emptyBuild({});
    const text = alone
      .read('skaffold.yaml')
      .replace("buildCommand: 'true'", "buildCommand: 'echo for $PLATFORMS'")
      .replace('- image: web', '- image: web\n      platforms: [linux/amd64, linux/arm64]');
    alone.write('skaffold.yaml', text);
    const build = (platform: string) =>
      alone.start(['build', '--push', '--platform', platform], ALONE).ended;
    expect((await build('linux/arm64')).stdout).toContain('for linux/arm64\n');
    expect(await build('linux/386')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('error LHL137: --platform asks for linux/386'),
    });
  });

  it('that are not known name the nearest', async () => {
    using alone = emptyBuild({});
    const { code, stderr } = await alone.start(['run', '--platfrom', 'x'], ALONE).ended;
    expect(code).toBe(2);
    expect(stderr).toContain('Did you mean --platform?');
    const forced = await alone.start(['deploy', '--force'], ALONE).ended;
    expect(forced.stderr).toContain("option '--force': objects are applied by server-side apply");
  });
});

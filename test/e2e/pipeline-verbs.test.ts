/** `lifehook pipeline …` as a user runs it: a project, the local cluster, and the directory builder. */
import { mkdirSync, symlinkSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { pods } from '../../src/kube/resources.ts';
import { deleted } from '../fixtures/api-cases/case.ts';
import { type ClusterStand, openCluster } from './cluster-stand.ts';
import { hostHook, openProject, type Project, shellHook, shopFiles } from './pipeline-stand.ts';

let cluster: ClusterStand;

beforeAll(async () => {
  cluster = await openCluster();
});

afterAll(async () => {
  await cluster[Symbol.asyncDispose]();
});

const project = (hooks: Parameters<typeof shopFiles>[0] = {}): Project =>
  openProject(cluster.kubeconfig, shopFiles(hooks));

function linesOf(text: string, source: string): string[] {
  const tag = `[${source}] `;
  return text.split('\n').flatMap((line) => (line.startsWith(tag) ? [line.slice(tag.length)] : []));
}

describe('lifehook pipeline run', () => {
  it(
    'builds, renders, deploys and checks, and gives the hooks of each phase its variables',
    { tags: 'kubectl' },
    async () => {
      using shop = project({
        build: `{ before: [${shellHook('echo "$IMAGE $IMAGE_REPO $IMAGE_TAG $PUSH_IMAGE"; echo "$BUILD_CONTEXT"')}] }`,
        render: `{ before: [${hostHook('echo "$SKAFFOLD_WORK_DIR"')}] }`,
        deploy: `{ before: [${hostHook('echo "$SKAFFOLD_RUN_ID $SKAFFOLD_KUBE_CONTEXT"')}], after: [${hostHook('echo "$SKAFFOLD_NAMESPACES"')}, { container: { podName: "web*", command: [cat, page.html] } }] }`,
        lifehook: `ready:\n  after: [${hostHook('echo "ready $SKAFFOLD_RUN_ID"')}]\n`,
      });
      const { code, stdout, stderr } = await shop.lifehook('pipeline', 'run');
      expect(stderr).toBe('');
      expect(code).toBe(0);
      const [image = '', context] = linesOf(stdout, 'build/web/before/0');
      const [, tag = ''] = /^web:([0-9a-f]{64}) web \1 false$/u.exec(image) ?? [];
      expect(tag).not.toBe('');
      expect(context).toBe(`${shop.folder}/web`);
      expect(linesOf(stdout, 'render/before/0')).toEqual([shop.folder]);
      const [before = ''] = linesOf(stdout, 'deploy/kubectl/before/0');
      const pod = JSON.parse(
        (await cluster.kubectl('get', 'pod', 'web', '-o', 'json')).stdout,
      ) as Pod;
      const runId = pod.metadata.labels['skaffold.dev/run-id'] ?? '';
      expect(runId).toMatch(/^[0-9a-f-]{36}$/u);
      expect(before).toBe(`${runId} lifehook-local`);
      expect(pod.spec.containers[0]?.image).toBe(`web:${tag}`);
      expect(linesOf(stdout, 'deploy/kubectl/after/0')).toEqual(['default']);
      expect(linesOf(stdout, 'deploy/kubectl/after/1 default/web/web')).toEqual(['hello']);
      expect(linesOf(stdout, 'ready/after/0')).toEqual([`ready ${runId}`]);

      const again = await shop.lifehook('pipeline', 'run');
      expect(again.code).toBe(0);
      expect(again.stdout).toContain('build web: found in the cache');
      // PIPE-CASE21: hooks of artifacts that are not built are reported as skipped.
      expect(again.stdout).toMatch(/build\/web\/before\/0 \(pre-build\): skipped: .*cache/u);
      expect(linesOf(again.stdout, 'deploy/kubectl/after/0')).toEqual(['default']);
    },
  );

  it('PIPE-CASE19: exits with 3 when a hook fails, and reports its exit code, position and next step', async () => {
    using shop = project({
      build: `{ before: [${shellHook('echo one >&2; exit 2')}, ${shellHook('echo second')}] }`,
    });
    const { code, stdout, stderr } = await shop.lifehook('pipeline', 'run');
    expect(code).toBe(3);
    expect(stderr).toMatch(
      /skaffold\.yaml:9:25: error LHL201: The hook build\/web\/before\/0 failed: .*exited with code 2/u,
    );
    expect(stderr).toContain('  | one\n');
    const [, id = ''] = /again: lifehook pipeline rerun (\S+)/u.exec(stderr) ?? [];
    expect(id).toMatch(/^[0-9a-f]{8}-\d+$/u);
    expect(stdout).not.toContain('second');
    expect(stdout).not.toContain('deploying');
  });

  it.each(['--exit-code-from-hook', '--compat'])(
    'exits with the exit code of the failed hook with %s',
    async (option) => {
      using shop = project({ build: `{ before: [${shellHook('exit 9')}] }` });
      expect((await shop.lifehook('build', option)).code).toBe(9);
    },
  );
});

describe('lifehook pipeline run --tail --port-forward', () => {
  it(
    'follows logs and ports until Ctrl-C, then exits with 0 and keeps the deployment',
    { tags: 'kubectl' },
    async () => {
      using shop = project();
      shop.write(
        'lifehook.yaml',
        `folderBuilders:
  web: { path: ., command: [sh, -c, 'echo serving; exec sleep 60'] }
portForward:
  after: [${hostHook('echo forwarded')}]
`,
      );
      shop.write(
        'skaffold.yaml',
        `${shop.read('skaffold.yaml')}portForward:
  - { resourceType: pod, resourceName: stays, port: 8080, localPort: 0 }
`,
      );
      shop.write('k8s/web.yaml', shop.read('k8s/web.yaml').replace('name: web }', 'name: stays }'));
      const running = shop.start(['pipeline', 'run', '--tail', '--port-forward']);
      await running.seen('serving');
      await running.seen('(post-portForward): done');
      expect(running.out()).toContain('[portForward/after/0] forwarded');
      running.child.kill('SIGINT');
      const { code } = await running.ended;
      expect(code).toBe(0);
      expect((await cluster.kubectl('get', 'pod', 'stays', '-o', 'name')).stdout).toBe(
        'pod/stays\n',
      );
    },
  );
});

describe('a kubeconfig with another name for the local cluster', () => {
  it('uses its image store when its state directory is found', { tags: 'kubectl' }, async () => {
    const config = (await cluster.kubectl('config', 'view', '--raw')).stdout;
    using shop = openProject(null, {
      ...shopFiles({}),
      'merged.yaml': config.replaceAll('lifehook-local', 'mine'),
    });
    const state = { XDG_STATE_HOME: shop.folder };
    const built = await shop.start(['build', '--kubeconfig', 'merged.yaml'], state).ended;
    // The cluster's state directory is not in a place where the command looks for such directories.
    expect(built.stderr).toContain('LHL305');
    mkdirSync(`${shop.folder}/state/lifehook`, { recursive: true });
    symlinkSync(cluster.folder, `${shop.folder}/state/lifehook/local`);
    const known = { XDG_STATE_HOME: `${shop.folder}/state` };
    expect((await shop.start(['build', '--kubeconfig', 'merged.yaml'], known).ended).code).toBe(0);
  });
});

interface Pod {
  readonly metadata: { readonly labels: Readonly<Record<string, string>> };
  readonly spec: { readonly containers: readonly { readonly image: string }[] };
}

describe('lifehook build', () => {
  it('PIPE-CASE20: is not cached when its hook after the build fails, and runs the hook again', async () => {
    using shop = project({
      build: `{ after: [${shellHook('echo ran; test -e allowed || exit 4')}] }`,
    });
    const first = await shop.lifehook('build');
    expect(first.code).toBe(3);
    shop.write('allowed', '');
    const second = await shop.lifehook('build');
    expect(second.code).toBe(0);
    expect(linesOf(second.stdout, 'build/web/after/0')).toEqual(['ran']);
    expect((await shop.lifehook('build')).stdout).toContain('build web: found in the cache');
  });

  it(
    'writes the built images to a file, and deploy with that file deploys exactly those',
    { tags: 'kubectl' },
    async () => {
      using shop = project({ build: `{ before: [${shellHook('echo noise')}] }` });
      const built = await shop.lifehook('build', '-o', 'json', '--file-output', 'built.json');
      expect(built.code).toBe(0);
      expect(built.stdout).toBe(shop.read('built.json'));
      const { builds } = JSON.parse(built.stdout) as {
        builds: readonly { readonly imageName: string; readonly tag: string }[];
      };
      expect(builds).toEqual([
        { imageName: 'web', tag: expect.stringMatching(/^web:[0-9a-f]{64}$/u) },
      ]);

      shop.write('web/page.html', 'changed since\n');
      const refused = await shop.lifehook('deploy');
      expect(refused.code).toBe(1);
      expect(refused.stderr).toContain('error LHL603: web was not built from the current files');
      const rendered = await shop.lifehook('render', '--build-artifacts', 'built.json');
      expect(rendered.stdout).toContain(`image: ${builds[0]?.tag ?? ''}\n`);
      await cluster.kubectl('create', 'namespace', 'told');
      const deployed = await shop.lifehook('deploy', '-a', 'built.json', '-n', 'told');
      expect(deployed.code).toBe(0);
      const image = 'jsonpath={.spec.containers[0].image}';
      expect((await cluster.kubectl('get', 'pod', 'web', '-n', 'told', '-o', image)).stdout).toBe(
        builds[0]?.tag,
      );
    },
  );
});

describe('lifehook pipeline test and verify', () => {
  it('exit with 1 when a test or a verification of a built image fails, or with its exit code', async () => {
    using shop = project();
    shop.write(
      'skaffold.yaml',
      `${shop.read('skaffold.yaml')}test:
  - image: web
    custom: [{ command: 'echo "tests $IMAGE"; exit 6' }]
verify:
  - name: check
    executionMode: { kubernetesCluster: {} }
    container: { name: check, image: web, command: [sh, -c, 'cat page.html; exit 7'] }
`,
    );
    const early = await shop.lifehook('pipeline', 'test');
    expect(early.code).toBe(1);
    expect(early.stderr).toContain('LHL603');
    expect((await shop.lifehook('build')).code).toBe(0);
    const tested = await shop.lifehook('pipeline', 'test');
    expect(tested.code).toBe(1);
    expect(tested.stdout).toMatch(/\[test\/web\/0\] tests web:[0-9a-f]{64}\n/u);
    const verified = await shop.lifehook('pipeline', 'verify');
    expect(verified.code).toBe(1);
    expect(verified.stdout).toContain('[check] hello\n');
    expect(verified.stderr).toContain('LHL414');
    const own = ['--exit-code-from-hook'];
    expect((await shop.lifehook('pipeline', 'test', ...own)).code).toBe(6);
    expect((await shop.lifehook('pipeline', 'verify', ...own)).code).toBe(7);
  });
});

describe('lifehook render', () => {
  it('PIPE-CASE41: prints only manifests on stdout, and the output of hooks on stderr', async () => {
    using shop = project({
      render: `{ before: [${hostHook('echo noise; echo "not: [yaml"')}], after: [${hostHook('echo more noise')}] }`,
    });
    const { code, stdout, stderr } = await shop.lifehook('render');
    expect(code).toBe(0);
    expect(stdout).toMatch(/^apiVersion: v1\nkind: Pod\n/u);
    expect(stdout).not.toContain('noise');
    expect(stderr).toContain('[render/before/0] noise');
    expect(stderr).toContain('[render/after/0] more noise');
  });
});

describe('lifehook pipeline delete', () => {
  it(
    'deletes the deployed objects, and runs the cleanup hooks before and after the deletion',
    { tags: 'kubectl' },
    async () => {
      using shop = project({
        lifehook: `cleanup:\n  before: [${hostHook('echo before')}]\n  after: [${hostHook('echo after')}]\n  finally: [${hostHook('echo last')}]\n`,
      });
      await cluster.kubectl('create', 'namespace', 'gone');
      expect((await shop.lifehook('pipeline', 'run', '-n', 'gone')).code).toBe(0);
      const { code, stdout } = await shop.lifehook('pipeline', 'delete', '-n', 'gone');
      expect(code).toBe(0);
      const order = [
        '[cleanup/before/0] before',
        'Pod gone/web deleted',
        '[cleanup/after/0] after',
        '[cleanup/finally/0] last',
      ];
      const places = order.map((text) => stdout.indexOf(text));
      expect(places).not.toContain(-1);
      expect(places).toEqual(places.toSorted((a, b) => a - b));
      await deleted(cluster.client, pods, { namespace: 'gone', name: 'web' });
    },
  );
});

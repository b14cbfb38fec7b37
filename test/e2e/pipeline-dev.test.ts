/**
 * `lifehook dev` as a user runs it: an editor, a local cluster, and Ctrl-C.
 * @module-tag kubectl
 */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';

import { getOrNull } from '../../src/kube/get-or-null.ts';
import { deployments, pods } from '../../src/kube/resources.ts';
import { SAME_ONE_MS } from '../../src/cli/pipeline/run-verb.ts';
import { eventually } from '../fixtures/api-cases/eventually.ts';
import { type ClusterStand, openWholeCluster } from './cluster-stand.ts';
import { openProject, type Project, SERVE, shellHook, type Started } from './pipeline-stand.ts';

let cluster: ClusterStand;

beforeAll(async () => {
  cluster = await openWholeCluster('--runner', 'process');
});

afterAll(async () => {
  await cluster[Symbol.asyncDispose]();
});

const started: Started[] = [];

/** After a failed test the program may still run. */
afterEach(() => {
  for (const { child } of started.splice(0)) child.kill('SIGKILL');
});

/** The hook before the build writes watched files, one of them with unchanged content. */
const SKAFFOLD = `apiVersion: skaffold/v4beta13
kind: Config
metadata: { name: shop }
build:
  tagPolicy: { inputDigest: {} }
  artifacts:
    - image: web
      context: web
      hooks:
        before: [${shellHook('echo "build after $ROUND"; date +%s%N > web/stamp; touch web/src/touched')}]
      sync:
        manual:
          - { src: 'src/**', dest: . }
        hooks:
          before:
            - host: ${shellHook('echo "syncing $SYNC_FILES"; [ ! -e broken ]')}
          after:
            - host: ${shellHook('cat "$LIFEHOOK_SYNC_FILES_JSON"; echo; echo "ROUND=sync" >> "$LIFEHOOK_ENV"')}
            - container: { command: [sh, -c, 'cat src/page.html; cat "src/a;b" || true; echo "shown in $PWD"'] }
manifests:
  rawYaml: [k8s/*.yaml]
deploy:
  kubectl:
    hooks:
      before:
        - container: { podName: 'web-*', command: [sh, -c, 'echo of the old pod'] }
      after:
        - host: ${shellHook('echo deployed after ${ROUND:-nothing}')}
`;

const MANIFEST = `apiVersion: apps/v1
kind: Deployment
metadata: { name: web }
spec:
  selector: { matchLabels: { app: web } }
  template:
    metadata: { labels: { app: web } }
    spec:
      terminationGracePeriodSeconds: 1
      containers: [{ name: web, image: web }]
`;

const LIFEHOOK = `folderBuilders:
  web: { path: ., command: [sh, -c, '${SERVE}'] }
cleanup:
  before: [{ host: ${shellHook('echo cleaning; touch cleaned')} }]
  finally: [{ host: ${shellHook('echo tidied')} }]
`;

function openShop(): Project {
  return openProject(cluster.kubeconfig, {
    'skaffold.yaml': SKAFFOLD,
    'lifehook.yaml': LIFEHOOK,
    'web/src/page.html': 'one\n',
    'web/lib.txt': 'lib\n',
    'k8s/web.yaml': MANIFEST,
  });
}

interface Dev {
  readonly running: Started;
  /** Applies a change; resolves with the output from then up to this text. */
  readonly after: (change: () => void, text: string) => Promise<string>;
}

function startDev(shop: Project, ...options: readonly string[]): Dev {
  const running = shop.start(['dev', ...options]);
  started.push(running);
  // Output of both streams, in order of arrival.
  let log = '';
  for (const stream of [running.child.stdout, running.child.stderr]) {
    stream?.on('data', (text: string) => {
      log += text;
    });
  }
  return {
    running,
    after: async (change, text) => {
      const from = log.length;
      change();
      await eventually(`"${text}" after the change`, () =>
        Promise.resolve(log.slice(from).includes(text) ? true : null),
      );
      return log.slice(from);
    },
  };
}

/** Milliseconds; long enough for an unwanted iteration to start. */
const IDLE_MS = 700;

const idle = (): Promise<void> => new Promise((resume) => setTimeout(resume, IDLE_MS));

const iterations = (shop: Project): number =>
  shop.events().filter(({ type }) => type === 'Iteration').length;

describe('lifehook dev', () => {
  it('syncs, builds and reloads its configuration on changes, and leaves nothing after Ctrl-C', async () => {
    using shop = openShop();
    const { running, after } = startDev(shop);
    await running.seen('deployed after nothing');
    await running.seen('warning LHL504');
    await idle();
    // PIPE-B9, PIPE-CASE23: one build and a warning, although the hook wrote watched files.
    expect(iterations(shop)).toBe(1);
    expect(running.out()).toMatch(/warning LHL504: build\/web\/before\/0 .*web\/stamp/u);
    const stamp = shop.read('web/stamp');
    // PIPE-CASE32: no pod existed yet.
    expect(running.out()).toContain('deploy/kubectl/before/0 (pre-deploy): skipped');

    const page = join(shop.folder, 'web/src/page.html');
    const synced = await after(() => {
      shop.write('web/src/page.html', 'two\n');
    }, 'shown in ');
    expect(synced).toContain(`[sync/web/before/0] syncing ${page}`);
    expect(synced).toContain(`[sync/web/after/0] ["${page}"]`);
    expect(synced).toMatch(/\[sync\/web\/after\/1 default\/web-.*\] two\n/u);
    expect(synced).not.toContain('build web');

    // PIPE-CASE35 with a new file.
    const odd = join(shop.folder, 'web/src/a;b');
    const added = await after(() => {
      shop.write('web/src/a;b', 'odd\n');
    }, 'shown in ');
    expect(added).toContain(`["${odd}"]`);
    expect(added).toMatch(/\[sync\/web\/after\/1 .*\] odd\n/u);
    const removed = await after(() => {
      rmSync(odd);
    }, 'shown in ');
    expect(removed).not.toMatch(/\] odd\n/u);

    const built = await after(() => {
      shop.write('web/lib.txt', 'more\n');
    }, 'deployed after sync');
    expect(built).toContain('web is built: no sync rule matches lib.txt');
    // PIPE-E2 and PIPE-CASE32: a later iteration has the value that a hook set, and now a pod exists.
    expect(built).toContain('[build/web/before/0] build after sync');
    expect(built).toMatch(/\[deploy\/kubectl\/before\/0 default\/web-.*\] of the old pod/u);

    // PIPE-CASE46: values survive a reload of the configuration.
    const reread = await after(() => {
      shop.write('skaffold.yaml', shop.read('skaffold.yaml').replace('echo deployed', 'echo new'));
    }, 'new after sync');
    expect(reread).toContain('iteration 6: skaffold.yaml');

    // PIPE-D4
    running.child.kill('SIGINT');
    const { code, stdout } = await running.ended;
    expect(code).toBe(0);
    expect(stdout).toContain('[cleanup/before/0] cleaning');
    expect(stdout).toContain('[cleanup/finally/0] tidied');
    const key = { namespace: 'default', name: 'web' };
    expect(await getOrNull(cluster.client, deployments, key)).toBeNull();
    await eventually('no pod is left', async () => {
      const { items } = await cluster.client.list(pods, { namespace: 'default' });
      return items.length === 0 ? true : null;
    });

    // The first build had this content, but synced content does not count as built.
    shop.write('web/src/page.html', 'one\n');
    shop.write('web/lib.txt', 'lib\n');
    shop.write('web/stamp', stamp);
    shop.write('skaffold.yaml', shop.read('skaffold.yaml').replace('date +%s%N > web/stamp;', ''));
    const again = startDev(shop);
    await again.running.seen('new after nothing');
    const found = await cluster.kubectl('exec', 'deployment/web', '--', 'cat', 'src/page.html');
    expect(found.stdout).toBe('one\n');
    again.running.child.kill('SIGINT');
    await again.running.ended;
  });

  it.each([
    ['cleanup before', ['dev'], 'cleanup: { before: [HOOK] }'],
    ['stage finally', ['dev', '--cleanup=false'], 'stages: { build/web: { finally: [HOOK] } }'],
  ])(
    'exits with 130 on a second Ctrl-C during a hook of %s, and names what may be left',
    async (_title, args, section) => {
      using shop = openShop();
      const hook = `{ host: ${shellHook('echo tidying; exec sleep 600')} }`;
      const builders = LIFEHOOK.slice(0, LIFEHOOK.indexOf('cleanup:'));
      const inBuild = section.startsWith('stages');
      shop.write('lifehook.yaml', `${builders}${section.replace('HOOK', hook)}\n`);
      const running = shop.start(args);
      started.push(running);
      await running.seen(inBuild ? 'tidying' : 'deployed after nothing');
      running.child.kill('SIGINT');
      await running.seen('Stopping: ');
      await running.seen('tidying');
      await new Promise((resume) => setTimeout(resume, 2 * SAME_ONE_MS));
      running.child.kill('SIGINT');
      const { code, stderr } = await running.ended;
      expect(code, stderr).toBe(130);
      if (!inBuild) expect(stderr).toContain('may still exist: Deployment default/web');
      else expect(stderr).toContain('interrupted twice');
      await cluster.kubectl('delete', 'deployment', 'web', '--ignore-not-found');
    },
  );

  it('continues after a failed iteration, and its work stays pending (PIPE-D1)', async () => {
    using shop = openShop();
    shop.write('k8s/web.yaml', 'nothing: true\n');
    const { running, after } = startDev(shop, '--cleanup=false');
    await running.seen('warning LHL502: Iteration 1 failed');
    await after(() => {
      shop.write('k8s/web.yaml', MANIFEST);
    }, 'deployed after nothing');

    // Skaffold drops a change if the hook before its sync has failed (2.5).
    shop.write('broken', '');
    await after(() => {
      shop.write('web/src/page.html', 'two\n');
    }, 'LHL502');
    rmSync(join(shop.folder, 'broken'));
    const caughtUp = await after(() => {
      shop.write('web/src/other', 'other\n');
    }, 'shown in ');
    expect(caughtUp).toMatch(/\[sync\/web\/after\/1 .*\] two\n/u);

    const refused = await after(() => {
      shop.write('skaffold.yaml', SKAFFOLD.replace('artifacts:', 'artefacts:'));
    }, '"artefacts"');
    expect(refused).toContain('LHL502');
    await after(() => {
      shop.write('skaffold.yaml', SKAFFOLD.replace('echo deployed', 'echo mended'));
    }, 'mended after sync');

    running.child.kill('SIGINT');
    expect((await running.ended).code).toBe(0);
    const key = { namespace: 'default', name: 'web' };
    expect(await getOrNull(cluster.client, deployments, key)).not.toBeNull();
    await cluster.kubectl('delete', 'deployment', 'web');
  });
});

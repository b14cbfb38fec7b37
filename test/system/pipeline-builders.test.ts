/**
 * Builds images from a Dockerfile with Debian's buildah and podman, into the local cluster's image store.
 * They use a storage in a temporary directory, not the machine's own. docker is a script that records its arguments and
 * calls podman, which has the same command line: no docker daemon is started here.
 */
import {
  copyFileSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';

import { imageStoreOf } from '../../src/cli/image-store-of.ts';
import type { ImageStore } from '../../packages/local-cluster/src/index.ts';
import type { ContainerProgram } from '../../src/lifecycles/pipeline/build/docker-argv.ts';
import { runBuild } from '../../src/lifecycles/pipeline/build/run-build.ts';
import type { DockerBuilder } from '../../src/lifecycles/pipeline/config/model.ts';
import type { BuiltArtifact, ImagePort } from '../../src/lifecycles/pipeline/session.ts';
import {
  artifactIn,
  type BuildStand,
  buildStand,
  NO_HOOKS,
} from '../fixtures/pipeline/build-stand.ts';
import { shell } from '../fixtures/pipeline/sample-hooks.ts';

const PATH = process.env['PATH'] ?? '';

/** The limits that a container without CAP_SYS_RESOURCE may set, and settings for cgroups v1. */
const CONTAINERS_CONF = `[containers]
default_ulimits = ["nofile=1024:1024", "nproc=1024:1024"]
[engine]
runtime = "runc"
cgroup_manager = "cgroupfs"
events_logger = "file"
`;

const DOCKERFILE = `FROM scratch
ARG VERSION=none
COPY busybox /bin/busybox
COPY page /www/page
RUN ["/bin/busybox", "sh", "-c", "echo built of $VERSION > /www/version"]
ENV PORT=8080
WORKDIR /www
CMD ["/bin/busybox", "httpd", "-f"]
`;

let folder: string;
const stands: BuildStand[] = [];

/** All programs share one storage. Each program gets the storage's directories through its environment. */
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'lifehook-builders-'));
  const storage = `[storage]\ndriver = "vfs"\ngraphroot = "${folder}/store"\nrunroot = "${folder}/run"\n`;
  writeFileSync(join(folder, 'containers.conf'), CONTAINERS_CONF);
  writeFileSync(join(folder, 'storage.conf'), storage);
});

afterEach(() => {
  process.env['PATH'] = PATH;
  for (const one of stands.splice(0)) one.remove();
});

afterAll(() => {
  rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
});

interface Stand extends BuildStand {
  readonly store: ImageStore;
  readonly build: (
    more?: Partial<BuildStand['session']['options']>,
  ) => Promise<BuiltArtifact | undefined>;
}

async function standWith(program: ContainerProgram): Promise<Stand> {
  const state = mkdtempSync(join(folder, 'state-'));
  const store = await imageStoreOf(state);
  const images: ImagePort = {
    importImage: async ({ from, reference }) => (await store.importImage({ from, reference })).id,
    idOf: async (reference) => (await store.resolve(reference))?.id ?? null,
    tag: async (existing, reference) => {
      await store.tag(existing, reference);
    },
  };
  const builder: DockerBuilder = {
    kind: 'docker',
    dockerfile: 'Dockerfile',
    buildArgs: { VERSION: '{{.RELEASE}}' },
    addHost: [],
    cacheFrom: [],
    noCache: false,
    pullParent: false,
    squash: false,
    secrets: [],
    cliFlags: [],
  };
  const after = shell('echo "$IMAGE" >> hooked', { address: 'build/web/after/0', when: 'after' });
  const callerEnv = {
    PATH: `${PATH}:/usr/sbin`,
    CONTAINERS_CONF: join(folder, 'containers.conf'),
    CONTAINERS_STORAGE_CONF: join(folder, 'storage.conf'),
    RELEASE: '1.2',
  };
  const made = buildStand({
    images,
    context: { callerEnv },
    options: { containerProgram: program, tag: 'v1' },
    artifactsIn: (work) => [
      artifactIn(`${work}/web`, 'web', { builder, hooks: { ...NO_HOOKS, after: [after] } }),
    ],
  });
  stands.push(made);
  made.write('web/Dockerfile', DOCKERFILE);
  made.write('web/page', 'hello\n');
  copyFileSync('/bin/busybox', `${made.folder}/web/busybox`);
  return {
    ...made,
    store,
    build: async (more = {}) => {
      const options = { ...made.session.options, ...more };
      const result = await runBuild({ ...made.session, options });
      if (result.outcome !== 'Succeeded') throw new Error(result.message);
      return result.value[0];
    },
  };
}

async function rootOf({ store }: Stand, reference: string): Promise<string> {
  const image = await store.resolve(reference);
  if (typeof image?.rootPath !== 'string') throw new Error(`there is no ${reference}`);
  return image.rootPath;
}

const fileIn = async (s: Stand, reference: string, path: string): Promise<string> =>
  readFileSync(join(await rootOf(s, reference), path), 'utf8');

const hooked = ({ folder: at }: Stand): readonly string[] =>
  existsSync(`${at}/hooked`) ? readFileSync(`${at}/hooked`, 'utf8').trim().split('\n') : [];

describe.each(['buildah', 'podman'] as const)('%s', (program) => {
  test('builds an image with all its files and its configuration into the image store of the local cluster', async () => {
    const s = await standWith(program);
    expect(await s.build()).toMatchObject({ reference: 'web:v1', cached: false });
    expect(await fileIn(s, 'web:v1', 'www/version')).toBe('built of 1.2\n');
    expect(await fileIn(s, 'web:v1', 'www/page')).toBe('hello\n');
    const busybox = readFileSync(join(await rootOf(s, 'web:v1'), 'bin/busybox'));
    expect(busybox.equals(readFileSync('/bin/busybox'))).toBe(true);
    expect((await s.store.resolve('web:v1'))?.config).toMatchObject({
      command: ['/bin/busybox', 'httpd', '-f'],
      env: { PORT: '8080' },
      workingDir: '/www',
    });
    expect(hooked(s)).toEqual(['web:v1']);
    expect(s.lines().some((line) => line.startsWith('build/web: '))).toBe(true);
  });

  test('is not called again when no file has changed, and gives another tag the same image', async () => {
    const s = await standWith(program);
    const first = await s.build();
    expect(await s.build()).toMatchObject({ id: first?.id, cached: true });
    expect(await s.build({ tag: 'v2' })).toMatchObject({ reference: 'web:v2', id: first?.id });
    expect(hooked(s)).toEqual(['web:v1']);
    s.write('web/page', 'another\n');
    const changed = await s.build({ tag: 'v2' });
    expect(changed).toMatchObject({ cached: false });
    expect(changed?.id).not.toBe(first?.id);
    expect(await fileIn(s, 'web:v2', 'www/page')).toBe('another\n');
  });

  test('reports the artifact and the missing file when a build fails', async () => {
    const s = await standWith(program);
    s.write('web/Dockerfile', 'FROM scratch\nCOPY missing /\n');
    await expect(s.build()).rejects.toThrow(/LHL304: The build of web failed(.|\n)*missing/);
  });
});

test('docker is called with its documented arguments, and its image is imported', async () => {
  const s = await standWith('docker');
  const script = `#!/bin/sh\necho "$@" >> ${s.folder}/argv\nexec podman "$@"\n`;
  s.write('bin/docker', script, 0o755);
  process.env['PATH'] = `${s.folder}/bin:${PATH}`;
  expect(await s.build()).toMatchObject({ reference: 'web:v1' });
  expect(await fileIn(s, 'web:v1', 'www/version')).toBe('built of 1.2\n');
  const argv = readFileSync(`${s.folder}/argv`, 'utf8').trim().replaceAll(s.folder, '.');
  const named = argv.replaceAll(/scratch\/[0-9a-f]{64}\./g, 'scratch/NAME.');
  expect(named.split('\n')).toEqual([
    'build --tag web:v1 --file ./web/Dockerfile --iidfile ./scratch/NAME.id --build-arg VERSION=1.2 ./web',
    'save --output ./scratch/NAME.tar web:v1',
  ]);
});

test('the first program that works builds when no program is chosen', async () => {
  const s = await standWith('podman');
  const fail = '#!/bin/sh\nexit 1\n';
  s.write('bin/docker', fail, 0o755);
  process.env['PATH'] = `${s.folder}/bin:${PATH}`;
  expect(await s.build({ containerProgram: null })).toMatchObject({ reference: 'web:v1' });
});

import { expect, test } from 'vitest';

import { plainDocker as plain } from '../../../../test/fixtures/pipeline/docker-builder.ts';
import type { DockerBuilder } from '../config/model.ts';
import { dockerArgv } from './docker-argv.ts';

const all: DockerBuilder = {
  ...plain,
  dockerfile: '../D',
  target: 't',
  network: 'host',
  addHost: ['a:1.2.3.4'],
  cacheFrom: ['x', 'y'],
  ssh: 'default',
  secrets: [
    { id: 's', src: 'f' },
    { id: 'e', env: 'E' },
  ],
  noCache: true,
  pullParent: true,
  squash: true,
  cliFlags: ['--quiet'],
};

const argv = (builder: DockerBuilder, platforms: string[] = [], folder = '/p/web'): string =>
  dockerArgv({
    program: 'podman',
    artifact: { context: '/p/web', platforms, builder },
    folder,
    reference: 'web:v1',
    buildArgs: builder === plain ? {} : { A: 'b c', OWN: null },
    idFile: '/s/id',
  }).join(' ');

test('dockerArgv passes tag, Dockerfile, id file and context for a plain build', () => {
  expect(argv(plain)).toBe(
    'podman build --tag web:v1 --file /p/web/Dockerfile --iidfile /s/id /p/web',
  );
});

test('dockerArgv passes every field of the docker builder as a flag', () => {
  expect(argv(all, ['linux/amd64', 'linux/arm64'])).toBe(
    'podman build --tag web:v1 --file /p/D --iidfile /s/id --build-arg A=b c --build-arg OWN --target t ' +
      '--network host --add-host a:1.2.3.4 --cache-from x --cache-from y --ssh default ' +
      '--secret id=s,src=/p/web/f --secret id=e,env=E --platform linux/amd64,linux/arm64 ' +
      '--no-cache --pull --squash --quiet /p/web',
  );
});

test('dockerArgv passes the copy of a context, with the Dockerfile in it', () => {
  expect(argv(plain, [], '/s/copy')).toBe(
    'podman build --tag web:v1 --file /s/copy/Dockerfile --iidfile /s/id /s/copy',
  );
  const elsewhere = argv({ ...plain, dockerfile: '../D' }, [], '/s/copy');
  expect(elsewhere).toContain('--file /p/D ');
  expect(elsewhere).toMatch(/ \/s\/copy$/);
});

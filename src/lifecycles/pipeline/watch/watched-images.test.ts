import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';

import {
  artifactIn,
  buildStand,
  NO_HOOKS,
} from '../../../../test/fixtures/pipeline/build-stand.ts';
import { shell } from '../../../../test/fixtures/pipeline/sample-hooks.ts';
import { watchedGroups } from './watched-groups.ts';

test.each([
  [[], ['artifact/acme/web', 'artifact/acme/api', 'artifact/db']],
  [['acme'], ['artifact/acme/web', 'artifact/acme/api']],
  [
    ['web', 'db'],
    ['artifact/acme/web', 'artifact/db'],
  ],
  [['none'], []],
])('with --watch-image %j the sources of these images are watched: %j', (watchImages, expected) => {
  const artifacts = ['acme/web', 'acme/api', 'db'].map((image) => artifactIn('/p', image));
  const stand = buildStand({ artifacts, options: { watchImages } });
  onTestFinished(() => {
    stand.remove();
  });
  const keys = watchedGroups(stand.session).map(({ key }) => key);
  expect(keys.filter((key) => key.startsWith('artifact/'))).toEqual(expected);
  expect(keys).toContain('config');
});

test('the script of a hook is not watched, and the configuration file is (PIPE-S9)', async () => {
  const hooks = { ...NO_HOOKS, before: [shell('./hook.sh')], after: [shell('sh hook.sh')] };
  const stand = buildStand({
    hooks,
    artifactsIn: (folder) => [artifactIn(join(folder, 'web'), 'web', { hooks })],
  });
  onTestFinished(() => {
    stand.remove();
  });
  stand.write('hook.sh', 'true', 0o755);
  const source = stand.write('web/a.js', '1');
  const [module] = stand.session.config.modules;
  const groups = watchedGroups(stand.session);
  const files = (await Promise.all(groups.map(({ list }) => list()))).flat();
  expect(files).toEqual(expect.arrayContaining([source, module?.file]));
  const watched = [...files, ...groups.flatMap(({ roots }) => roots)];
  expect(watched.filter((path) => path === stand.folder || path.endsWith('hook.sh'))).toEqual([]);
});

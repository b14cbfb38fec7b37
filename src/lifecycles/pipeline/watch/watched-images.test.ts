import { expect, onTestFinished, test } from 'vitest';

import { artifactIn, buildStand } from '../../../../test/fixtures/pipeline/build-stand.ts';
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

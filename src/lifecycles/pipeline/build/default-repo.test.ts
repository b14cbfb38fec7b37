import { expect, test } from 'vitest';

import { withDefaultRepo } from './default-repo.ts';

test.each([
  ['gcr.io/a/web', 'localhost:5000/x', null, 'localhost:5000/x/gcr_io_a_web'],
  ['gcr.io/a/b/web', 'gcr.io/a', null, 'gcr.io/a/b/web'],
  ['acme/web', 'gcr.io/p', null, 'gcr.io/p/acme_web'],
  ['acme/web', 'gcr.io/p', true, 'gcr.io/p/acme/web'],
  ['gcr.io/a/web', 'gcr.io/p', null, 'gcr.io/p/gcr.io/a/web'],
  ['gcr.io/a/web', 'gcr.io/p', false, 'gcr.io/p/gcr_io_a_web'],
  ['gcr.io/a/web', 'gcr.io/a/team', null, 'gcr.io/a/team/web'],
  ['web', 'localhost:5000', null, 'localhost:5000/web'],
  ['localhost:5000/web:v1', 'r.example/x', true, 'r.example/x/localhost_5000/web:v1'],
  ['web', 'r.example/x/', null, 'r.example/x/web'],
  ['r.example/xy/web', 'r.example/x', null, 'r.example/x/r_example_xy_web'],
  ['web', null, null, 'web'],
])('image %s with default repo %s and multiLevel %s is named %s', (...row) => {
  const [image, repo, multiLevel, name] = row;
  expect(withDefaultRepo(image, { repo, multiLevel })).toBe(name);
});

test('a name is truncated to the 255 characters that registries accept', () => {
  const name = withDefaultRepo('w'.repeat(300), { repo: 'r.example/x', multiLevel: null });
  expect(name).toHaveLength(255);
});

import { expect, it } from 'vitest';

import { hookPlace } from './session-fold.ts';

it.each([
  ['build/web/after/0', 'build/web', 'build after'],
  ['build/localhost:5000/shop/web/before/10', 'build/localhost:5000/shop/web', 'build before'],
  ['shop:deploy/kubectl/before/1', 'shop:deploy/kubectl', 'deploy before'],
  ['cleanup/finally/0', 'cleanup', 'cleanup finally'],
  ['something else', 'something else', 'hook'],
])('a hook with the address %s has its track and hook point', (address, lane, point) => {
  expect(hookPlace(address)).toEqual({ lane, point });
});

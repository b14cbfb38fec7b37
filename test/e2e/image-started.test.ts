import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';

import { openImageStand } from './image-stand.ts';

it('an image with the same files and another command has another id', async () => {
  await using stand = await openImageStand();
  const { store, folder } = stand;
  const from = join(folder, 'files');
  await mkdir(from);
  await writeFile(join(from, 'page'), 'hello');
  const make = (reference: string, ...command: string[]): Promise<{ readonly id: string }> =>
    store.importImage({ from, reference, config: { command } });
  const one = await make('web:1', 'one');
  const two = await make('web:2', 'zwölf \u2713');
  expect(two.id).not.toBe(one.id);
  // The command of `web:5` differs from that of `web:2` only in a character outside ASCII.
  expect((await make('web:5', 'zwölf \u2714')).id).not.toBe(two.id);
  expect((await make('web:3', 'one')).id).toBe(one.id);
  expect((await store.resolve('web:2'))?.config.command).toEqual(['zwölf \u2713']);
  expect((await store.resolve('web:3'))?.config.command).toEqual(['one']);
  expect((await store.importImage({ from, reference: 'web:4' })).id).not.toBe(one.id);
});

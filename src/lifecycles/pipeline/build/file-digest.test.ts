import { expect, test } from 'vitest';

import { mapAtOnce } from './file-digest.ts';

test('mapAtOnce bounds parallel calls, returns results in input order, and rejects when a call rejects', async () => {
  let [running, most] = [0, 0];
  const doubled = await mapAtOnce([5, 1, 4, 2, 3], 2, async (item) => {
    running += 1;
    most = Math.max(most, running);
    await new Promise((resume) => setTimeout(resume, item));
    running -= 1;
    return item * 2;
  });
  expect(doubled).toEqual([10, 2, 8, 4, 6]);
  expect(most).toBe(2);
  expect(await mapAtOnce([], 2, () => Promise.reject(new Error('there is nothing')))).toEqual([]);
  const failing = mapAtOnce([1, 2], 1, () => Promise.reject(new Error('no')));
  await expect(failing).rejects.toThrow('no');
});

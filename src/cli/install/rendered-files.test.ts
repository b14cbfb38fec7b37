import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';

import { installFiles } from '../../../scripts/install-files.ts';

describe('the files of deploy/', () => {
  it.each(installFiles())('$path equals its generated text', async ({ path, text }) => {
    expect(await readFile(path, 'utf8')).toBe(text);
  });
});

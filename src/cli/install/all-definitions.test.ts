import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';

import { crdFiles } from '../../../scripts/crd-files.ts';

describe('the custom resource definitions', () => {
  it('equal the committed files in deploy/crds and of the local cluster', async () => {
    for (const { path, text } of crdFiles()) expect(await readFile(path, 'utf8')).toBe(text);
  });
});

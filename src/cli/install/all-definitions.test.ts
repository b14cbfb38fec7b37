import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';

import { crdFiles } from '../../../scripts/crd-files.ts';

describe('the custom resource definitions', () => {
  it('stand in deploy/crds, and beside the local cluster, as they are generated', async () => {
    for (const { path, text } of crdFiles()) expect(await readFile(path, 'utf8')).toBe(text);
  });
});

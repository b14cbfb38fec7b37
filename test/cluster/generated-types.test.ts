/**
 * The committed files must equal the files that are generated from the OpenAPI document of a real server.
 * @module-tag recorded-release
 */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

import { generatedFiles } from '../../scripts/generated-types.ts';
import { connectToCluster } from './real-cluster.ts';

it('the committed table of built-in types equals one generated from the real server', async () => {
  const { client, connection } = connectToCluster();
  try {
    const files = await generatedFiles((path) => client.raw({ method: 'GET', path }));
    for (const { path, text } of files) {
      expect(readFileSync(path, 'utf8') === text, path).toBe(true);
    }
  } finally {
    connection.transport.close();
  }
});

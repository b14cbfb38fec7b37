import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

import { generatedFiles } from '../../scripts/generated-types.ts';
import { connectToCluster } from './real-cluster.ts';

it('the committed table of built-in types equals one generated from the real server', async () => {
  const { client, connection } = connectToCluster();
  try {
    // The server names no JSON type for it: it comes as text.
    const document = await client.raw({ method: 'GET', path: '/openapi/v2' });
    for (const { path, text } of generatedFiles(JSON.parse(document as string))) {
      expect(readFileSync(path, 'utf8') === text, path).toBe(true);
    }
  } finally {
    connection.transport.close();
  }
});

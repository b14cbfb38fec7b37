/** Needs the OpenAPI document of Debian's Kubernetes 1.20 source package (scripts/generate-types.ts says how). */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

import { generatedFiles } from '../../../../scripts/generated-types.ts';

const source = process.env['KUBERNETES_SWAGGER'];

test.skipIf(source === undefined)(
  'generating the table again changes nothing (set KUBERNETES_SWAGGER to a swagger.json of 1.20)',
  () => {
    const swagger: unknown = JSON.parse(readFileSync(source ?? '', 'utf8'));
    for (const { path, text } of generatedFiles(swagger)) {
      expect(readFileSync(path, 'utf8') === text, path).toBe(true);
    }
  },
);

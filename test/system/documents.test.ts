/** The documents that have blocks for a machine with root and an OCI runtime, executed whole. */
import { describe, expect, it } from 'vitest';
import { elsewhere } from '../e2e/documents-elsewhere.ts';
import { blocksIn, documents, failuresOf } from '../e2e/document-run.ts';

const withSystem = documents().filter((document) =>
  blocksIn(document).some(({ info }) => info === 'sh system'),
);

describe('a document for a machine with a runtime', () => {
  it.each(withSystem)('%s works as it stands', async (document) => {
    const request = { kinds: ['sh', 'console', 'sh system'], without: elsewhere } as const;
    expect(await failuresOf(document, request)).toEqual([]);
  });
});

import { test } from 'vitest';

import { expectUnpackedBy } from '../../../../test/fixtures/pipeline/unpack-archive.ts';

test('an archive for a container is unpacked whole by busybox', { tags: 'busybox' }, () => {
  expectUnpackedBy('busybox', 'tar');
});

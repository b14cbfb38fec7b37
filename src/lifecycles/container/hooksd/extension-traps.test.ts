import { expect, test } from 'vitest';

import { compile, version1 } from '../../../../test/fixtures/hooksd/hook-files.ts';
import { lintHookFile } from './lint.ts';

const lint = (folder: string, stages: readonly string[]): string[] =>
  lintHookFile(
    { folder, name: 'a.json', text: JSON.stringify(version1({ always: true }, { stages })) },
    { compile },
  ).map(({ code, severity }) => `${severity} ${code}`);

test.each(['/usr/share/containers/oci/hooks.d', '/etc/containers/oci/hooks.d'])(
  'a stage of ours in %s is reported, since Podman or CRI-O refuses every container for it',
  (folder) => {
    expect(lint(folder, ['poststop', 'postexit'])).toEqual(['error LHC145', 'warning LHC146']);
    expect(lint(folder, ['precreate'])).toEqual(['warning LHC145']);
    expect(lint(folder, ['poststop'])).toEqual([]);
  },
);

test('in a directory of ours only the limits of postexit are reported', () => {
  expect(lint('/etc/lifehook/hooks.d', ['precreate', 'postexit'])).toEqual(['warning LHC146']);
});

import { expect, it } from 'vitest';

import { encodeUtf8 } from '../../../../src/platform/byte-text.ts';
import { unmountRoot } from './overlay.ts';
import type { RuntimeWorld } from './runtime-world.ts';

it.each(['/home/jürgen/c', '/home/a b/c'])('unmounts the root in %s', async (folder) => {
  const escaped = folder.replace(' ', '\\040');
  const line = `40 30 0:50 / ${escaped}/rootfs rw - overlay overlay rw\n`;
  const commands: (readonly string[])[] = [];
  const platform = {
    files: { read: async () => encodeUtf8(line) },
    timers: { after: () => () => undefined },
    processes: {
      spawn: ({ argv }: { argv: readonly string[] }) => {
        commands.push(argv);
        return { exited: Promise.resolve({ code: 0, signal: null }) };
      },
    },
  };
  await unmountRoot({ platform } as unknown as RuntimeWorld, folder);
  expect(commands).toEqual([['umount', '--lazy', `${folder}/rootfs`]]);
});

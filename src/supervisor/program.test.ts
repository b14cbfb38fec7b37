import { describe, expect, it } from 'vitest';

import { readCall } from './program.ts';

describe('the command line of a supervisor', () => {
  const life = { folder: '/run/lifehook/containers/web', instance: '17' };

  it.each([
    [['/s/process/containers/c1'], { nodeFolder: '/s/process/containers/c1', life: null }],
    [[life.folder, life.instance], { nodeFolder: null, life }],
    [
      ['/s/runc/containers/c1', life.folder, life.instance],
      { nodeFolder: '/s/runc/containers/c1', life },
    ],
  ])('says whose container it is: %j', (args, call) => {
    expect(readCall(args)).toEqual(call);
  });

  it.each([[[]], [['a', 'b', 'c', 'd']]])(
    'is refused with any other number of arguments: %j',
    (args) => {
      expect(readCall(args)).toBeNull();
    },
  );
});

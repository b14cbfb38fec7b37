import { expect, it } from 'vitest';

import { readSimOptions } from './options.ts';

it('takes a range of seeds, or one seed and a phase', () => {
  const range = readSimOptions(['--lifecycle', 'pod', '--from', '5', '--seeds', '7']);
  expect(range).toMatchObject({ lifecycle: 'pod', from: 5, seeds: 7, isReplay: false });
  const one = readSimOptions(['--lifecycle', 'pipeline', '--seed', '3', '--focus', 'finally']);
  expect(one).toMatchObject({ from: 3, seeds: 1, isReplay: true, focus: 'finally' });
  expect(readSimOptions(['--from', '4294967296', '--seeds', '1'])).toMatchObject({ seeds: 1 });
});

it.each([
  [['--nosuch'], "Unknown option '--nosuch'"],
  [['--seed', '-1'], "Option '--seed' argument is ambiguous"],
  [['--seed=-1'], 'Seeds are whole numbers from 1 to 4294967296'],
  [['--seed', '1.5'], 'Received --from 1.5 --seeds 1'],
  [['--seed', '4294967297'], 'later ones repeat them. Received --from 4294967297 --seeds 1'],
  [['--from', '4294967296', '--seeds', '2'], 'Received --from 4294967296 --seeds 2'],
  [
    ['--lifecycle', 'constructor'],
    'snapshot, guard, rollout, container, pipeline. Received constructor',
  ],
  [
    ['--seed', '1', '--lifecycle', 'pipeline', '--focus', 'nosuch'],
    'onError, finally. Received nosuch',
  ],
  [['--focus', 'running'], '--shrink and --focus are of one seed'],
  [['--seed', '1', '--keep', 'name'], '--keep NAME is of --shrink'],
])('says what is wrong with %j', (args, problem) => {
  expect(readSimOptions(args)).toContain(problem);
});

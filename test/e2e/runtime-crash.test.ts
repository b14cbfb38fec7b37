/** Kills a node of the process runner at several moments: the next node must find all of its containers. */
import { it } from 'vitest';
import { killAgainAndAgain } from './runtime-crash.ts';

/** Time limit; the test takes ten seconds on an idle machine. */
const TIMEOUT_MS = 400_000;

it(
  'a node that is killed 10 times adopts its containers: none lost, none started twice, every exit code known (POD-R2)',
  () => killAgainAndAgain('process', 10),
  TIMEOUT_MS,
);

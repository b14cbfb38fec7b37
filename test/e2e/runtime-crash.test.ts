/** A node of the process runner that is killed at any moment loses nothing of its containers. */
import { it } from 'vitest';
import { killAgainAndAgain } from './runtime-crash.ts';

/** Takes ten seconds on an idle machine. */
const TIMEOUT_MS = 400_000;

it(
  'a node that is killed 10 times adopts its containers: none lost, none started twice, every exit code known',
  () => killAgainAndAgain('process', 10),
  TIMEOUT_MS,
);

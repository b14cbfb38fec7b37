/** A node of the process runner that is killed at any moment loses nothing of its containers. */
import { it } from 'vitest';
import { killAgainAndAgain } from './runtime-crash.ts';

it('a node that is killed 30 times adopts its containers: none lost, none started twice, every end known', async () => {
  await killAgainAndAgain('process', 30);
});

/** A node of the OCI runner that is killed at random moments, also between create and start of a container. */
import { it } from 'vitest';
import { killAgainAndAgain } from '../e2e/runtime-crash.ts';

it('a node of runc that is killed 15 times adopts its containers: none lost, none started twice, every exit code known', async () => {
  await killAgainAndAgain({ name: 'runc', command: '/usr/sbin/runc' }, 15);
});

/** Kills a node of the OCI runner at several moments, also between a container's create and its start. */
import { it } from 'vitest';
import { killAgainAndAgain } from '../e2e/runtime-crash.ts';

it('a node of runc that is killed 15 times adopts its containers: none lost, none started twice, every exit code known (POD-R2)', async () => {
  await killAgainAndAgain({ name: 'runc', command: '/usr/sbin/runc' }, 15);
});

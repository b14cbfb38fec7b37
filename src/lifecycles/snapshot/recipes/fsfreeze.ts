import type { Recipe } from './recipe.ts';
import { shellCommand } from './shell-command.ts';

/**
 * Of a whole file system, whoever froze it: one that somebody else has frozen is refused, and is not thawed
 * by us. There is no probe: every question that would tell either freezes or waits without end.
 */
export const fsfreeze: Recipe = {
  name: 'fsfreeze',
  application: 'any, on ext4, XFS, Btrfs or F2FS',
  summary: 'Freezes the file system of a mount: everything that writes to it waits.',
  lockClass: 'superblock',
  tested: true,
  parameters: [{ name: 'path', description: 'where the volume is mounted in the container' }],
  needs: {
    programs: ['sh', 'fsfreeze', 'sleep'],
    privileges: [
      'CAP_SYS_ADMIN, as in a privileged container',
      'the root file system of the container is another one: nothing may be written there to thaw',
    ],
  },
  maxFreezeSeconds: 60,
  exitCodes: {
    1: 'not permitted, not a file system that can be frozen, or frozen already (EBUSY): the output says which',
    127: 'the image has no "fsfreeze"',
  },
  priorState: 'whether it was us who froze it; what others have frozen is left alone',
  actions: ({ path = '' }) => ({
    preAction: {
      session: {
        freeze: shellCommand(FREEZE, path),
        thaw: shellCommand(THAW, path),
        windowSeconds: 10,
      },
    },
    expirationSeconds: 60,
  }),
};

const FREEZE = `fsfreeze --freeze "$1"
code=$?
if [ "$code" -eq 0 ]; then echo ours; else echo not-ours; fi
exit "$code"
`;

/** Where the freeze was cut short nobody knows; to thaw what is not frozen does no harm. */
const THAW = `case \${LIFEHOOK_PRIOR-unknown} in
not-ours) exit 0 ;;
ours) exec fsfreeze --unfreeze "$1" ;;
*) fsfreeze --unfreeze "$1" || : ;;
esac
`;

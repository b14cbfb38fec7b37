import type { Recipe } from './recipe.ts';
import { shellCommand } from './shell-command.ts';

/**
 * Of a whole file system, whoever froze it: one that is frozen already (EBUSY) is refused, or accepted where the
 * user says so, and is not thawed by us in either case. A session is never opened again after an attempt whose end
 * nobody saw, so what is frozen then was not frozen by this hook in this container. There is no probe: every question
 * that would tell either freezes or waits without end.
 */
export const fsfreeze: Recipe = {
  name: 'fsfreeze',
  application: 'any, on ext4, XFS, Btrfs or F2FS',
  summary: 'Freezes the file system of a mount: everything that writes to it waits.',
  lockClass: 'superblock',
  lockScope: 'Kernel',
  tested: true,
  parameters: [
    { name: 'path', description: 'where the volume is mounted in the container' },
    {
      name: 'ifFrozen',
      description:
        'of a file system that is frozen already: "fail", or "accept" where another container of the hook, or another program, keeps it frozen over the cut',
      defaultValue: 'fail',
      pattern: /^(fail|accept)$/,
    },
  ],
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
  actions: ({ path = '', ifFrozen = '' }) => ({
    preAction: {
      session: {
        freeze: shellCommand(FREEZE, path, ifFrozen),
        thaw: shellCommand(THAW, path),
        windowSeconds: 10,
      },
    },
    expirationSeconds: 60,
    rescue: {},
  }),
};

/** Sh: runs fsfreeze, and keeps what it said in `said` and its exit code in `code`. In C, since `said` is read. */
const ask = `ask() {
  said=$(LC_ALL=C fsfreeze "$@" 2>&1)
  code=$?
  [ -z "$said" ] || printf '%s\\n' "$said" >&2
}
`;

const FREEZE = `${ask}ask --freeze "$1"
if [ "$code" -eq 0 ]; then echo ours; exit 0; fi
echo not-ours
case $2:$said in accept:*'Device or resource busy'*) exit 0 ;; esac
exit "$code"
`;

/** EINVAL: it is thawed already, which is all that is asked for. Any other failure proves no thaw. */
const THAW = `${ask}[ "\${LIFEHOOK_PRIOR-}" != not-ours ] || exit 0
ask --unfreeze "$1"
case $said in *'Invalid argument'*) exit 0 ;; esac
exit "$code"
`;
